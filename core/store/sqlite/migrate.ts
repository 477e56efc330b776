import type BetterSqlite3 from 'better-sqlite3';
import { checkVersion, history, missingSteps } from '../migrations/history.ts';
import { sqliteWords } from '../migrations/migration.ts';
import { StoreError } from '../store-error.ts';

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

/**
 * The version of a database's schema, 0 for an empty one. Throws a `StoreError` when `known` does not continue from it, or
 * the database belongs to another program; `name` is the operator's name for it.
 */
export function checkSchema(database: BetterSqlite3.Database, name = database.name, known = history): number {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  if (tables.length === 0) return 0;
  if (!tables.includes('schema_migrations')) {
    throw new StoreError(
      `The file ${name} is a SQLite database of another program. Set the path of the database to a new file.`,
    );
  }
  const applied = Number(database.prepare('SELECT coalesce(max(version), 0) FROM schema_migrations').pluck().get());
  checkVersion(known, applied, name);
  return applied;
}
