import type BetterSqlite3 from 'better-sqlite3';
import { checkVersion } from '../check-version.ts';
import type { Migration } from '../migration.ts';
import { StoreError } from '../store-error.ts';

/**
 * The version of a database's schema, 0 of an empty one. Throws a `StoreError` when it is newer than the newest of
 * `migrations`, or the database belongs to another program; `name` is what the operator calls it.
 */
export function checkSchema(
  database: BetterSqlite3.Database,
  migrations: readonly Migration[],
  name = database.name,
): number {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  if (tables.length === 0) return 0;
  if (!tables.includes('schema_migrations')) {
    throw new StoreError(
      `The file ${name} is a SQLite database of another program. Set the path of the database to a new file.`,
    );
  }
  const applied = Number(database.prepare('SELECT coalesce(max(version), 0) FROM schema_migrations').pluck().get());
  checkVersion(applied, migrations, name);
  return applied;
}
