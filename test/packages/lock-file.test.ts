import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
};

const lock: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(join(repository, 'package-lock.json'), 'utf8'),
);
const entries = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

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

test('every package that is installed has its integrity in the lock file', () => {
  const without = entries.filter(([, entry]) => entry.integrity === undefined && entry.inBundle !== true);
  expect(without.filter(isInstalledSomewhere).map(([path]) => path)).toEqual([]);
});

test('the lock file names no registry', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});
