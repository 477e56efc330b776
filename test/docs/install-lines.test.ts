import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { findMarkdownFiles, root } from '../../tools/prose/find-markdown-files.ts';
import { readFences } from '../../tools/prose/read-fences.ts';

const run = promisify(execFile);

/** What the pages have a reader install from npm into an application, as lists of names. */
const lists = findMarkdownFiles()
  .filter((page) => page.startsWith('docs/'))
  .flatMap((page) =>
    readFences(readFileSync(join(root, page), 'utf8')).flatMap(({ language, code }) =>
      language === 'sh' ? [...code.matchAll(/^npm install ((?:@?[a-z][\w@./-]* ?)+)$/gm)] : [],
    ),
  )
  .map(([, names = '']) => names.trim());

test('the pages have packages to install', () => {
  expect(lists.length).toBeGreaterThan(1);
});

// npm only works out what it would install: versions that exclude each other end in ERESOLVE.
test.each([...new Set(lists)])(
  'after "npm install %s" another package can be installed',
  async (names) => {
    const app = mkdtempSync(join(tmpdir(), 'tollfree-install-'));
    onTestFinished(() => rmSync(app, { recursive: true, force: true }));
    const npm = (...args: readonly string[]) => run('npm', [...args], { cwd: app });
    await npm('init', '-y');
    for (const next of [names.split(' '), ['is-number']]) {
      await npm('install', '--package-lock-only', '--no-audit', '--no-fund', ...next);
    }
    const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
      readFileSync(join(app, 'package.json'), 'utf8'),
    );
    expect(Object.keys(dependencies)).toHaveLength(names.split(' ').length + 1);
  },
  180_000,
);
