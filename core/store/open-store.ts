import { existsSync, statSync } from 'node:fs';
import { pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../base/logger.ts';
import type { DatabaseAddress } from '../base/values/database-address.ts';
import { openPostgresStore } from './postgres/open-postgres-store.ts';
import { lockDatabase, maxWaitForOwner } from './sqlite/lock-database.ts';
import { checkNativeBinding } from './sqlite/open-sqlite.ts';
import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import { createReadThread } from './sqlite/reading/read-thread.ts';
import { isDamage } from './storage-fault.ts';
import type { Store } from './store.ts';
import { errorCode, StoreError } from './store-error.ts';

/**
 * Opens a database next to the processes of the service, if there are any, and brings its schema up to date. Rejects with
 * a `StoreError` or `StartError` whose message tells the operator what to do.
 */
export function openStore(database: DatabaseAddress): Promise<Store> {
  return database.kind === 'sqlite' ? openSqliteStore(database.file) : openPostgresStore(database.url);
}

/** A start waits for so long for the check of a file, in milliseconds. A larger one is checked while it is served. */
const maxCheckMs = 10_000;

/**
 * The same for a process of the service. A file that is damaged is refused. On a file it is the only one: another one is waited for before anything is looked at
 * or migrated, and kept out until the store is closed. At a server there may be any number of them, one of which leads; `name`
 * tells people which this is.
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
 * Reads a database through in a thread of its own, and resolves to whether it is whole. One that is not there yet is. Where the check
 * cannot be made, opening the database says why.
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
