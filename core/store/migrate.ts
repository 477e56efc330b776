import type BetterSqlite3 from 'better-sqlite3';
import type { Migration } from './migrations/migration.ts';
import { retain } from './retain.ts';
import { StoreError } from './store-error.ts';

/**
 * Brings a database up to the newest of `migrations`, each in a transaction of its own. Two programs that start at
 * once take turns. Throws a `StoreError` when the database is newer than the program or belongs to another program.
 */
export function migrate(database: BetterSqlite3.Database, migrations: readonly Migration[]): void {
  database.transaction(() => prepareHistory(database)).immediate();
  refuseNewer(database, migrations);
  for (const migration of migrations) {
    database.transaction(() => apply(database, migration)).immediate();
  }
}

function prepareHistory(database: BetterSqlite3.Database): void {
  const tables = retain(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")).pluck().all();
  if (tables.length > 0 && !tables.includes('schema_migrations')) {
    throw new StoreError(
      `The file ${database.name} is a SQLite database of another program. Set the path of the database to a new file.`,
    );
  }
  database.exec(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY CHECK (version > 0),
      name TEXT NOT NULL,
      applied_at INTEGER NOT NULL
    ) STRICT
  `);
}

function refuseNewer(database: BetterSqlite3.Database, migrations: readonly Migration[]): void {
  const applied = Number(
    retain(database.prepare('SELECT coalesce(max(version), 0) FROM schema_migrations')).pluck().get(),
  );
  const known = migrations.at(-1)?.version ?? 0;
  if (applied > known) {
    throw new StoreError(
      `The database ${database.name} has schema version ${applied}, but this program knows versions up to ${known}. ` +
        'Start the version of the program that wrote it, or a newer one.',
    );
  }
}

function apply(database: BetterSqlite3.Database, migration: Migration): void {
  const done = retain(database.prepare('SELECT 1 FROM schema_migrations WHERE version = ?')).get(migration.version);
  if (done !== undefined) return;
  database.exec(migration.sql);
  retain(database.prepare('INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, unixepoch())')).run(
    migration.version,
    migration.name,
  );
}
