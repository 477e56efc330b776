import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findMarkdownFiles, root } from '../../tools/prose/find-markdown-files.ts';
import { readFences, whyNotRun } from '../../tools/prose/read-fences.ts';
import { expectPrinted } from '../support/documents/expect-printed.ts';
import { runPages } from '../support/documents/run-pages.ts';

const shells = findMarkdownFiles()
  .filter((page) => /^(docs\/|README\.md$|clients\/sdk\/README\.md$)/.test(page))
  .flatMap((page) =>
    readFences(readFileSync(join(root, page), 'utf8'))
      .filter(({ language }) => language === 'sh')
      .map((fence) => ({ page, fence })),
  );

test('every block of commands is run by a test, or says why not', () => {
  expect(shells.length).toBeGreaterThan(40);
  expect(Object.values(runPages).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const left = shells.filter(({ page, fence }) => !(page in runPages) && whyNotRun(fence) === undefined);
  expect(left.map(({ page, fence }) => `${page}:${fence.line}`)).toEqual([]);
});

test('no more blocks than today are not run', () => {
  expect(shells.filter(({ fence }) => whyNotRun(fence) !== undefined).length).toBeLessThanOrEqual(27);
});

test('reads a block in a list with what follows its language', () => {
  expect(readFences('1. Do it:\n\n   ```sh norun="needs root"\n   run\n   ```\n')).toEqual([
    { language: 'sh', info: 'norun="needs root"', code: 'run\n', line: 3 },
  ]);
});

test('a block below a command may leave lines and changing values out, and shows no line that is not printed', () => {
  const printed =
    'held       12 ether\nat 2026-11-30T07:56:30.000Z\nsigned 0x00000000000000000000000000000000000000ab\n';
  const shown = (code: string) => ({ language: '', info: '', code, line: 7 });
  const example = 'held 0.5 ether\nsigned 0x2910e325cf29dd912e3476b61ef12f49cb931096\n';
  expectPrinted('a.md', shown(example), printed);
  expect(() => expectPrinted('a.md', shown(example.replace('held', 'free')), printed)).toThrow('a.md:7');
  expect(() => expectPrinted('a.md', shown(example.split('\n').reverse().join('\n')), printed)).toThrow('a.md:7');
});
