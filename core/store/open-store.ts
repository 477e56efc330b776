import { AsyncLocalStorage } from 'node:async_hooks';
import type BetterSqlite3 from 'better-sqlite3';
import { type Driver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Database } from './database.ts';
import { migrate } from './sqlite/migrate.ts';
import { migrations } from './sqlite/migrations/migrations.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { ReadDriver } from './sqlite/reading/read-driver.ts';
import { SqliteDriver } from './sqlite/sqlite-driver.ts';
import type { Store } from './store.ts';

/** The database whose transaction is running. One for all stores: each that exists costs every promise of the process. */
const insideTransaction = new AsyncLocalStorage<BetterSqlite3.Database>();

/**
 * Opens the SQLite file, creates it where it does not exist (mode 0600) and brings its schema up to date. Rejects with
 * a `StoreError` whose message tells the operator what to do.
 */
export async function openStore(file: string): Promise<Store> {
  const database = openSqlite(file);
  try {
    migrate(database, migrations);
  } catch (error) {
    database.close();
    throw error;
  }

  // With one connection such a query would wait for its own transaction, for ever; and a reading would keep it waiting.
  const refuseInside = (what: string) => () => {
    if (insideTransaction.getStore() === database) {
      throw new Error(`store.${what} was used inside a transaction: use its own handle`);
    }
  };
  const db = createKysely(() => new SqliteDriver(database, refuseInside('db')));
  const reading = createKysely(() => new ReadDriver(database.name, refuseInside('read')));

  // Until its first query Kysely has no driver, and closing would neither wait nor close the file.
  await db.connection().execute(async () => {});

  return {
    db,
    transaction: (work) => db.transaction().execute((trx) => insideTransaction.run(database, () => work(trx))),
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
