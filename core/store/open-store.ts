import type { Logger } from '../domain/logger.ts';
import type { DatabaseAddress } from '../domain/values/database-address.ts';
import { describeServer } from './postgres/describe-server.ts';
import { openPostgresStore } from './postgres/open-postgres-store.ts';
import { createOwnership } from './postgres/ownership.ts';
import { lockDatabase, maxWaitForOwner } from './sqlite/lock-database.ts';
import { checkNativeBinding } from './sqlite/open-sqlite.ts';
import { openSqliteStore } from './sqlite/open-sqlite-store.ts';
import type { Store } from './store.ts';

/**
 * Opens a database beside the process that keeps its books, if there is one, and brings its schema up to date. Rejects with
 * a `StoreError` or `StartError` whose message tells the operator what to do.
 */
export function openStore(database: DatabaseAddress): Promise<Store> {
  return database.kind === 'sqlite' ? openSqliteStore(database.file) : openPostgresStore(database.url);
}

/**
 * The same for the one process that keeps its books, whose caches and watch know of no other: another one is waited for
 * before anything is looked at or migrated, and kept out until the store is closed.
 */
export async function openOwnStore(
  database: DatabaseAddress,
  { logger, maxWaitMs = maxWaitForOwner }: { readonly logger: Logger; readonly maxWaitMs?: number },
): Promise<Store> {
  if (database.kind === 'postgres') {
    return openPostgresStore(database.url, createOwnership(describeServer(database.url), { logger, maxWaitMs }));
  }
  checkNativeBinding();
  const lock = await lockDatabase(database.file, { logger, maxWaitMs });
  try {
    const store = await openSqliteStore(database.file);
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
