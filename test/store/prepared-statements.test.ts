import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { createPreparedStatements } from '../../core/store/sqlite/prepared-statements.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A database, and how many of the statements prepared on it are still in memory. */
function countStatements() {
  const database = openHandle(join(temporaryFolder(), 'tollfree.db'));
  onTestFinished(() => {
    database.close();
  });
  let prepared = 0;
  let alive = 0;
  const ends = new FinalizationRegistry(() => {
    alive -= 1;
  });
  const prepare = createPreparedStatements({
    prepare: ((sql: string) => {
      const statement = database.prepare(sql);
      ends.register(statement, undefined);
      prepared += 1;
      alive += 1;
      return statement;
    }) as BetterSqlite3.Database['prepare'],
  });
  return { prepare, prepared: () => prepared, alive: () => alive };
}

function inList(length: number): string {
  return `SELECT 1 WHERE 0 IN (${Array.from({ length }, () => '?').join(', ')})`;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

test('statements of ever different texts do not stay in memory', async () => {
  const { prepare, prepared, alive } = countStatements();
  for (let length = 1; length <= 1_000; length += 1) prepare(inList(length)).all(Array(length).fill(1));
  expect(prepared()).toBe(1_000);
  await vi.waitFor(() => {
    collectGarbage();
    expect(alive()).toBeLessThanOrEqual(500);
  });
});

test('a statement in use is prepared once, whatever others come between', () => {
  const { prepare, prepared } = countStatements();
  for (let length = 1; length <= 600; length += 1) {
    prepare('SELECT 1');
    prepare(inList(length));
  }
  expect(prepared()).toBe(601);
});

test('long texts are kept up to a sum of characters, and one longer than the sum still runs', async () => {
  const { prepare, alive } = countStatements();
  for (let length = 30_000; length < 30_030; length += 1) prepare(inList(length));
  await vi.waitFor(() => {
    collectGarbage();
    expect(alive()).toBeLessThanOrEqual(12);
  });
  const longest = `SELECT 1 ${' '.repeat(1_000_000)}`;
  expect(prepare(longest).all()).toEqual([{ 1: 1 }]);
});
