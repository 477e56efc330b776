import type BetterSqlite3 from 'better-sqlite3';
import type { Migration } from '../migration.ts';
import { checkSchema } from './check-schema.ts';

/**
 * Brings a database up to the newest of `migrations`, each in a transaction of its own. Two programs that start at
 * once take turns. Throws a `StoreError` when the database is newer than the program or belongs to another program.
 */
export function migrate(database: BetterSqlite3.Database, migrations: readonly Migration[]): void {
  database
    .transaction(() => {
      checkSchema(database, migrations);
      prepareHistory(database);
    })
    .immediate();
  for (const migration of migrations) {
    database.transaction(() => apply(database, migration)).immediate();
  }
}

function prepareHistory(database: BetterSqlite3.Database): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY CHECK (version > 0),
      name TEXT NOT NULL,
      applied_at INTEGER NOT NULL
    ) STRICT
  `);
}

function apply(database: BetterSqlite3.Database, migration: Migration): void {
  const done = database.prepare('SELECT 1 FROM schema_migrations WHERE version = ?').get(migration.version);
  if (done !== undefined) return;
  database.exec(migration.sql);
  database
    .prepare('INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, unixepoch())')
    .run(migration.version, migration.name);
}
