import { type Driver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Database } from '../database.ts';
import { createTransaction, refuseInside } from '../inside-transaction.ts';
import { leadsAlone } from '../leading/leads-alone.ts';
import type { Store } from '../store.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './open-sqlite.ts';
import { ReadDriver } from './reading/read-driver.ts';
import { SqliteDriver } from './sqlite-driver.ts';

/**
 * Opens the SQLite file, creates it where it does not exist (mode 0600) and brings its schema up to date. Rejects with
 * a `StoreError` whose message tells the operator what to do.
 */
export async function openSqliteStore(file: string): Promise<Store> {
  const database = openSqlite(file);
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }

  // With one connection such a query would wait for its own transaction, for ever; and a reading would keep it waiting.
  const db = createKysely(() => new SqliteDriver(database, () => refuseInside(database, 'db')));
  const reading = createKysely(() => new ReadDriver(database.name, () => refuseInside(database, 'read')));

  // Until its first query Kysely has no driver, and closing would neither wait nor close the file.
  await db.connection().execute(async () => {});

  return {
    db,
    leadership: leadsAlone,
    hear: () => () => {},
    lostAt: () => undefined,
    transaction: createTransaction(database, (work) => db.transaction().execute(work)),
    read: (work) => reading.transaction().execute(work),
    close: async () => {
      await reading.destroy();
      await db.destroy();
    },
  };
}

function createKysely(createDriver: () => Driver): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createDriver,
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  });
}
