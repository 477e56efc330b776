import { existsSync, statSync } from 'node:fs';
import { pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import type { Logger } from '../base/logger.ts';
import type { DatabaseAddress } from '../base/values/database-address.ts';
import { newestVersion } from './migrations/history.ts';
import { inspectServer } from './postgres/inspect-server.ts';
import { openPostgresStore } from './postgres/open-postgres-store.ts';
import { createSqliteKysely } from './sqlite/create-sqlite-kysely.ts';
import { lockDatabase, maxWaitForOwner } from './sqlite/lock-database.ts';
import { checkSchema } from './sqlite/migrate.ts';
import { refuseMoved } from './sqlite/moved-mark.ts';
import { openHandle } from './sqlite/open-handle.ts';
import { checkNativeBinding } from './sqlite/open-sqlite.ts';
import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import { createReadThread } from './sqlite/reading/read-thread.ts';
import { SqliteDriver } from './sqlite/sqlite-driver.ts';
import type { Store } from './store.ts';
import { cannotOpen, errorCode, isDamage, StoreError } from './store-error.ts';

/**
 * Opens a database, possibly in parallel to the service's processes, and upgrades its schema. Rejects with a `StoreError` or
 * `StartError` whose message tells the operator what to do.
 */
export function openStore(database: DatabaseAddress): Promise<Store> {
  return database.kind === 'sqlite' ? openSqliteStore(database.file) : openPostgresStore(database.url);
}

/**
 * Longest time that startup waits for the check of a file, in milliseconds. The check of a larger file continues while
 * serving.
 */
const maxCheckMs = 10_000;

/**
 * Opens a database for a service process. A damaged file is refused. With SQLite, the process is the only one: it first
 * waits for another one to end, and excludes others until the store is closed. With PostgreSQL any number of processes may
 * run, one of which leads; `name` identifies this one to people.
 */
export async function openOwnStore(
  database: DatabaseAddress,
  context: { readonly logger: Logger; readonly name?: string | undefined; readonly maxWaitMs?: number },
): Promise<Store> {
  const { logger, name = `process ${pid}`, maxWaitMs = maxWaitForOwner } = context;
  if (database.kind === 'postgres') return openPostgresStore(database.url, { name, logger });
  checkNativeBinding();
  const lock = await lockDatabase(database.file, { logger, maxWaitMs });
  try {
    const checked = isWhole(database.file);
    if ((await Promise.race([checked, pause(maxCheckMs)])) === false) throw damaged(database.file);
    const store = await openSqliteStore(database.file);
    void checked.then((whole) => {
      if (!whole) store.noteDamaged();
    });
    return {
      ...store,
      close: async () => {
        await store.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function damaged(file: string): StoreError {
  return new StoreError(
    `The database ${file} is damaged (PRAGMA quick_check). Keep the file, restore the newest backup, and check the disk.`,
  );
}

/**
 * Checks a whole database file in a separate thread; resolves to whether it is intact. A missing file is. If the check is
 * impossible, opening the database reports why.
 */
async function isWhole(file: string): Promise<boolean> {
  if (!existsSync(file) || statSync(file).size === 0) return true;
  const thread = createReadThread(file);
  try {
    const [row] = await thread.ask({ sql: 'PRAGMA quick_check(1)', parameters: [] });
    return Object.values(row as Record<string, unknown>)[0] === 'ok';
  } catch (cause) {
    return !isDamage(cause) || errorCode(cause) === 'SQLITE_NOTADB';
  } finally {
    await thread.close().catch(() => {});
  }
}

/** How long a statement waits for the service, in milliseconds. */
const busyTimeoutMs = 1_000;

/** The store of a program that runs alongside the service and only reads. */
export type ReadStore = Pick<Store, 'db' | 'reading' | 'read' | 'close'>;

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
  const db = createSqliteKysely(() => new SqliteDriver(database, () => {}, { begin: 'BEGIN' }));
  // Until its first query Kysely has no driver, and closing would not close the file.
  await db.connection().execute(async () => {});
  return { db, reading: db, read: (work) => db.transaction().execute(work), close: () => db.destroy() };
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
