import { existsSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { DatabaseAddress } from '../base/values/database-address.ts';
import type { Database } from './database.ts';
import { newestVersion } from './migrations/history.ts';
import { inspectServer } from './postgres/inspect-server.ts';
import { openPostgresStore } from './postgres/open-postgres-store.ts';
import { checkSchema } from './sqlite/check-schema.ts';
import { refuseMoved } from './sqlite/moved-mark.ts';
import { openHandle } from './sqlite/open-handle.ts';
import { SqliteDriver } from './sqlite/sqlite-driver.ts';
import type { Store } from './store.ts';
import { cannotOpen, StoreError } from './store-error.ts';

/** How long a statement waits for the service, in milliseconds. */
const busyTimeoutMs = 1_000;

/** The store of a program that runs alongside the service and only reads. */
export type ReadStore = Pick<Store, 'db' | 'read' | 'close'>;

/**
 * Opens a database for reading while a service may use it: creates nothing and does not upgrade the schema, which an earlier
 * version's service may be using.
 *
 * @throws StoreError when it does not exist, or has another schema than this program's.
 */
export async function openToRead(at: DatabaseAddress): Promise<ReadStore> {
  if (at.kind === 'postgres') {
    const { server, schemaVersion } = await inspectServer(at.url);
    if (schemaVersion < newestVersion) throw new StoreError(olderText(server, schemaVersion));
    return openPostgresStore(at.url);
  }
  const database = openFile(at.file);
  const db = new Kysely<Database>({
    dialect: {
      createDriver: () => new SqliteDriver(database, () => {}, { begin: 'BEGIN' }),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  });
  // Until its first query Kysely has no driver, and closing would not close the file.
  await db.connection().execute(async () => {});
  return { db, read: (work) => db.transaction().execute(work), close: () => db.destroy() };
}

function openFile(file: string): BetterSqlite3.Database {
  if (!existsSync(file)) {
    throw new StoreError(
      `There is no database ${file} yet. It is created when the service starts, or with the first account.`,
    );
  }
  let database: BetterSqlite3.Database | undefined;
  try {
    database = openHandle(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    const version = checkSchema(database);
    refuseMoved(database);
    if (version < newestVersion) throw new StoreError(olderText(file, version));
    return database;
  } catch (cause) {
    database?.close();
    throw cannotOpen(file, cause);
  }
}

function olderText(file: string, version: number): string {
  if (version === 0) return `The database ${file} is empty. Its tables are created when the service starts.`;
  return (
    `The database ${file} has schema version ${version}, but this program reads version ${newestVersion}. ` +
    'Use the program version that the service runs, or start the service with this one, which migrates the database.'
  );
}
