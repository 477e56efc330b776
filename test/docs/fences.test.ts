import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findMarkdownFiles, root } from '../../tools/prose/find-markdown-files.ts';
import { readFences, whyNotRun } from '../../tools/prose/read-fences.ts';
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
  expect(shells.filter(({ fence }) => whyNotRun(fence) !== undefined).length).toBeLessThanOrEqual(29);
});

test('reads a block in a list with what follows its language', () => {
  expect(readFences('1. Do it:\n\n   ```sh norun="needs root"\n   run\n   ```\n')).toEqual([
    { language: 'sh', info: 'norun="needs root"', code: 'run\n', line: 3 },
  ]);
});
