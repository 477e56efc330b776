import type BetterSqlite3 from 'better-sqlite3';
import { history, missingSteps } from '../migrations/history.ts';
import { sqliteWords } from '../migrations/sql-words.ts';
import { checkSchema } from './check-schema.ts';

/**
 * Upgrades a database, each step in its own transaction. Programs that start at the same time take turns. Throws a
 * `StoreError` when no step continues from the database's schema, or it belongs to another program.
 */
export function migrate(database: BetterSqlite3.Database, known = history): void {
  while (database.transaction(() => applyNext(database, known)).immediate());
}

/** Whether there was a step to apply. */
function applyNext(database: BetterSqlite3.Database, known: typeof history): boolean {
  const [step] = missingSteps(known, checkSchema(database, database.name, known), database.name);
  if (step === undefined) return false;
  database.exec(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY CHECK (version > 0),
      name TEXT NOT NULL,
      applied_at INTEGER NOT NULL
    ) STRICT
  `);
  database.exec(step.sql(sqliteWords));
  database
    .prepare('INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, unixepoch())')
    .run(step.version, step.name);
  return true;
}
