import type BetterSqlite3 from 'better-sqlite3';
import { checkVersion, history } from '../migrations/history.ts';
import { StoreError } from '../store-error.ts';

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
