import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestOf, draftOf, isKept, keep } from '../../tools/build/kept-build.mjs';

let folder: string;
const file = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-kept-'));
  mkdirSync(file('sources/dist'), { recursive: true });
  writeFileSync(file('sources/one.ts'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const digest = () => digestOf([file('sources')]);

test('a build is made again when a source changes, comes or goes, and not when its time or the output changes', () => {
  const first = digest();
  utimesSync(file('sources/one.ts'), 1, 1);
  writeFileSync(file('sources/dist/output.js'), 'built');
  expect(digest()).toBe(first);
  writeFileSync(file('sources/two.ts'), 'two');
  const second = digest();
  writeFileSync(file('sources/two.ts'), 'TWO');
  expect(new Set([first, second, digest()]).size).toBe(3);
  rmSync(file('sources/two.ts'));
  expect(digest()).toBe(first);
});

test('a build that was not completed is not taken for one, and leaves the kept one', () => {
  const built = file('built');
  const first = draftOf(built);
  mkdirSync(first);
  writeFileSync(join(first, 'program.js'), 'first');
  expect([existsSync(built), isKept(built, 'a')]).toEqual([false, false]);
  keep(first, built, 'a');
  mkdirSync(draftOf(built));
  expect(readFileSync(join(built, 'program.js'), 'utf8')).toBe('first');
  expect([isKept(built, 'a'), isKept(built, 'b')]).toEqual([true, false]);
});
