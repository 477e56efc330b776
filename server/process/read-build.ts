import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { pid } from 'node:process';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { readVersion } from '../../clients/cli/terminal/read-version.ts';
import { newestVersion } from '../../core/store/migrations/history.ts';

/** Identifies this program. */
type Build = {
  readonly version: string;
  /** The commit of the build, with `-dirty` if its sources had other changes. Absent if the program runs from sources. */
  readonly commit?: string;
  /** The schema version of its database. */
  readonly schema: number;
  /** Version of Node.js. */
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
  // A build may be next to the sources, from another commit.
  if (import.meta.url.endsWith('.ts')) return undefined;
  const file = join(dirname(createRequire(import.meta.url).resolve('tollfree/package.json')), 'dist/build.json');
  if (!existsSync(file)) return undefined;
  const { commit }: { commit?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return typeof commit === 'string' ? commit : undefined;
}

/** Identifies this process to people among those at its database: its machine or container, and its process id. */
export function processName(): string {
  return `${hostname()} (process ${pid})`;
}
