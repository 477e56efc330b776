import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Landing, renderLandings } from '../test/support/chain/landings-table.ts';

/** For vitest's `globalSetup`: gives the tests a file to record landed operations, and prints a table of them at the end. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-landings-'));
  const file = join(folder, 'landings.jsonl');
  writeFileSync(file, '');
  project.provide('landings', file);
  return () => {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    rmSync(folder, { recursive: true, force: true });
    const table = renderLandings(lines.map((line): Landing => JSON.parse(line)));
    if (table !== '') process.stdout.write(`${table}\n`);
  };
}
