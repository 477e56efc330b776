import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../support/packages/pack.ts';

type Entry = {
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly inBundle?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly optionalDependencies?: object;
};
type Packages = Readonly<Record<string, Entry>>;

function readLock(folder: string): Packages {
  return JSON.parse(readFileSync(join(repository, folder, 'package-lock.json'), 'utf8')).packages;
}

/** What npm installs from a registry, and not from a folder of this repository. */
function fromRegistry(packages: Packages): readonly [string, Entry][] {
  return Object.entries(packages).filter(
    ([path, { link }]) => /(^|\/)node_modules\//.test(path) && !path.startsWith('../') && link !== true,
  );
}

/** The platforms that the service is built and run on. */
const platforms = [{ os: 'linux', cpu: 'x64', libc: 'glibc' }];

function isInstalledSomewhere([path, { optional, os, cpu, libc }]: [string, Entry]): boolean {
  const fits = (wanted: readonly string[] | undefined, has: string) => wanted === undefined || wanted.includes(has);
  // Some packages say in their names alone that they are for another libc.
  if (path.endsWith('-musl')) return false;
  return (
    optional !== true || platforms.some((each) => fits(os, each.os) && fits(cpu, each.cpu) && fits(libc, each.libc))
  );
}

describe.each(['.', 'test', 'tools/programs', 'tools/abstractjs'])('the lock file of %s', (folder) => {
  const entries = fromRegistry(readLock(folder));

  test('has the integrity of every package that is installed', () => {
    const without = entries.filter(([, entry]) => entry.integrity === undefined && entry.inBundle !== true);
    expect(without.filter(isInstalledSomewhere).map(([path]) => path)).toEqual([]);
  });

  test('names no registry', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});

test('npm ci in a clone installs at most 450 packages', () => {
  expect(fromRegistry(readLock('.')).filter(isInstalledSomewhere).length).toBeLessThanOrEqual(450);
});

test('tests import the same copy of a package as the sources do', () => {
  const { dependencies, devDependencies, optionalDependencies } = readLock('.')[''] ?? {};
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const packages = readLock('test');
  const copied = names.filter((name) => {
    const entry = packages[`node_modules/${name}`];
    return entry !== undefined && entry.link !== true;
  });
  // One that is here goes into test/package.json as `file:../node_modules/<name>`.
  expect(copied).toEqual([]);
});
