import { readFileSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { history } from '../../../core/store/migrations/history.ts';
import { migrate } from '../../../core/store/sqlite/migrate.ts';
import { openHandle } from '../../../core/store/sqlite/open-handle.ts';

/** The schema of release 0.2.0, as SQL for SQLite. */
export const released020 = readFileSync(new URL('old-schemas/sqlite-6.sql', import.meta.url), 'utf8');
/** The first one that PostgreSQL had, which no release has. */
export const firstOnPostgres = readFileSync(new URL('old-schemas/postgres-17.sql', import.meta.url), 'utf8');

/** A database in memory with the schema of an earlier version, from that of release 0.2.0 (6) on. Closed after the test. */
export function oldSqlite(version: number): BetterSqlite3.Database {
  const database = openHandle(':memory:');
  onTestFinished(() => void database.close());
  database.exec(released020);
  bringTo(database, version);
  return database;
}

/** Applies the steps up to a version. */
export function bringTo(database: BetterSqlite3.Database, version: number): void {
  migrate(database, { ...history, steps: history.steps.filter((step) => step.version <= version) });
}
