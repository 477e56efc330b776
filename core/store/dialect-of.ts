import { type Kysely, PostgresAdapter } from 'kysely';
import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';

/** The dialect of the database that is asked. */
export function dialectOf(db: Kysely<Database>): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgresDialect : sqliteDialect;
}
