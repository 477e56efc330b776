import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../../clients/sdk');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const examplePattern = /<!-- example: (?<name>[\w/-]+\.ts) -->\n```ts\n(?<code>[\s\S]*?)```/g;

// The programs themselves run on a development service: see examples.suite.ts of test/dev.

test('the programs in the README are the files of examples, to the letter', () => {
  const shown = [...readme.matchAll(examplePattern)].map(({ groups }) => groups);
  expect(shown.map((example) => example?.name)).toEqual(['sponsored.ts']);
  for (const example of shown) {
    expect(example?.code).toBe(readFileSync(join(folder, 'examples', example?.name ?? ''), 'utf8'));
  }
});

test('the README links every example', () => {
  const files = readdirSync(join(folder, 'examples'), { recursive: true, encoding: 'utf8' });
  const programs = files.filter((name) => name.endsWith('.ts'));
  expect(programs.length).toBeGreaterThan(6);
  expect(programs.filter((name) => !readme.includes(`(examples/${name.replaceAll('\\', '/')})`))).toEqual([]);
});
