import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findMarkdownFiles, root } from '../../tools/prose/find-markdown-files.ts';
import { installedVersions } from '../support/documents/installed-versions.ts';

const pages = findMarkdownFiles()
  .filter((page) => /^(docs\/|(README|CONTRIBUTING|SECURITY)\.md$|clients\/sdk\/README\.md$)/.test(page))
  .map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));

function readManifest(file: string) {
  const manifest: { engines?: { node?: string }; peerDependencies?: { ox?: string } } = JSON.parse(
    readFileSync(join(root, file), 'utf8'),
  );
  return manifest;
}

/** What the pattern finds in the pages, with the page. */
function shown(pattern: RegExp): readonly { readonly page: string; readonly name: string; readonly version: string }[] {
  return pages.flatMap(({ page, text }) =>
    [...text.matchAll(pattern)].map(({ groups: { name = '', version = '' } = {} }) => ({ page, name, version })),
  );
}

/** Every package to install with its version, such as `@pimlico/mock-paymaster@0.0.7`. */
const pinned = shown(/(?<![\w@./-])(?<name>@?[a-z][\w./-]*)@(?<version>\d+(?:\.\d+)*)/g);

test('packages to install have the versions that the tests install', () => {
  const packages = pinned.filter(({ name }) => name !== 'ox' && name !== 'node');
  expect(packages.length).toBeGreaterThan(3);
  expect(packages.filter(({ name, version }) => !installedVersions.has(`${name}@${version}`))).toEqual([]);
});

test('ox is installed next to permissionless in the version that permissionless asks for', () => {
  const { peerDependencies } = readManifest('node_modules/permissionless/package.json');
  const versions = new Set(pinned.filter(({ name }) => name === 'ox').map(({ version }) => version));
  expect([...versions].map((version) => `^${version}`)).toEqual([peerDependencies?.ox?.replace(/\.\d+$/, '')]);
});

test('a sentence about a package names a version that the tests install', () => {
  const endings = [...installedVersions]
    .flatMap((one) => /(?<ending>[\w.-]+)@\d[\d.]*$/.exec(one)?.groups?.ending ?? [])
    .join('|');
  const said = shown(
    new RegExp(`(?<![\\w-])(?<name>${endings})\`?(?: up to| \\|)? (?<version>\\d+\\.\\d+\\.\\d+)`, 'g'),
  );
  expect(said.length).toBeGreaterThan(10);
  const isInstalled = (name: string, version: string) =>
    [...installedVersions].some((one) => one === `${name}@${version}` || one.endsWith(`/${name}@${version}`));
  expect(said.filter(({ name, version }) => !isInstalled(name, version))).toEqual([]);
});

test('the oldest Node.js that a page asks for is the one that the package asks for', () => {
  const asked = shown(/(?<name>Node\.js) (?<version>\d+\.\d+) or newer/g);
  expect(asked.length).toBeGreaterThan(1);
  const { engines } = readManifest('package.json');
  expect(asked.filter(({ version }) => `>=${version}` !== engines?.node)).toEqual([]);
});
