import { type Driver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Database } from '../database.ts';

/** Kysely for a SQLite file, by a driver of ours. */
export function createSqliteKysely(createDriver: () => Driver): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createDriver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  });
}
