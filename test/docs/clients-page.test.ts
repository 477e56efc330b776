import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/prose/find-markdown-files.ts';
import { installedVersions } from '../support/documents/installed-versions.ts';

const page = readFileSync(join(root, 'docs/reference/compatibility.md'), 'utf8');
const rowPattern = /^\| `(?<name>[^`]+)` \| (?<version>[\d.]+) \| (?<tested>.+) \| `(?<file>test\/[^`]+)` \|$/gm;
const rows = [...page.matchAll(rowPattern)].map(({ groups = {} }) => ({
  name: groups.name ?? '',
  version: groups.version ?? '',
  file: groups.file ?? '',
}));

test('the page names the versions that the tests install', () => {
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.map(({ name, version }) => `${name}@${version}`).filter((one) => !installedVersions.has(one))).toEqual(
    [],
  );
});

test('each test that the page names is there, and names the package', () => {
  const wrong = rows.filter(({ name, file }) => {
    if (!existsSync(join(root, file))) return true;
    return !readFileSync(join(root, file), 'utf8').includes(name.replace(/^@(biconomy|pimlico)\//, ''));
  });
  expect(wrong).toEqual([]);
  const named = [...page.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, file = '']) => file);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('every row that names a test has this form', () => {
  const lines = page.split('\n').filter((line) => line.startsWith('| `') && line.includes('`test/'));
  expect(lines).toHaveLength(rows.length);
});
