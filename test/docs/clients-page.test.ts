import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/prose/find-markdown-files.ts';

const page = readFileSync(join(root, 'docs/reference/compatibility.md'), 'utf8');
const rowPattern = /^\| `(?<name>[^`]+)` \| (?<version>[\d.]+) \| (?<tested>.+) \| `(?<file>test\/[^`]+)` \|$/gm;
const rows = [...page.matchAll(rowPattern)].map(({ groups = {} }) => ({
  name: groups.name ?? '',
  version: groups.version ?? '',
  file: groups.file ?? '',
}));

type Manifest = { readonly dependencies?: Record<string, string>; readonly devDependencies?: Record<string, string> };

function versionsIn(file: string): readonly string[] {
  const { dependencies = {}, devDependencies = {} }: Manifest = JSON.parse(readFileSync(join(root, file), 'utf8'));
  return Object.entries({ ...devDependencies, ...dependencies }).map(([name, version]) =>
    version.startsWith('npm:') ? version.slice('npm:'.length) : `${name}@${version}`,
  );
}

/** Packages of runs of their own, as their programs name them: `{ name: '…', version: '…' }`. */
function versionsNextTo(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/\{ name: '([^']+)', version: '([^']+)' \}/g)].map(
    ([, name, version]) => `${name}@${version}`,
  );
}

const installed = new Set([
  ...versionsIn('package.json'),
  ...versionsIn('test/package.json'),
  ...versionsIn('tools/abstractjs/package.json'),
  ...['test-safe', 'separate/alto', 'test-metamask-bundler', 'test-alchemy'].flatMap((name) =>
    versionsNextTo(`tools/${name}.ts`),
  ),
]);

test('the page names the versions that the tests install', () => {
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.map(({ name, version }) => `${name}@${version}`).filter((one) => !installed.has(one))).toEqual([]);
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
