import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { pid } from 'node:process';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { readVersion } from '../../clients/cli/terminal/read-version.ts';
import { newestVersion } from '../../core/store/migrations/history.ts';

/** Which program this is. */
type Build = {
  readonly version: string;
  /** Of the build, with `-dirty` where its sources had other changes. Absent where the program runs from its sources. */
  readonly commit?: string;
  /** Of the database that it works with. */
  readonly schema: number;
  /** Node.js. */
  readonly node: string;
};

let build: Build | undefined;

/** Read once: neither changes while the program runs. */
export function readBuild(): Build {
  build ??= {
    version: readVersion(),
    ...omitAbsent({ commit: readCommit() }),
    schema: newestVersion,
    node: process.versions.node,
  };
  return build;
}

function readCommit(): string | undefined {
  // A build may lie next to the sources, and be of another commit.
  if (import.meta.url.endsWith('.ts')) return undefined;
  const file = join(dirname(createRequire(import.meta.url).resolve('tollfree/package.json')), 'dist/build.json');
  if (!existsSync(file)) return undefined;
  const { commit }: { commit?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return typeof commit === 'string' ? commit : undefined;
}

/** What tells people this process from the others at its database: its machine, or container, and its number there. */
export function processName(): string {
  return `${hostname()} (process ${pid})`;
}
