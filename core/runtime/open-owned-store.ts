import type { CoreConfig } from '../domain/core-config.ts';
import type { Logger } from '../domain/logger.ts';
import type { Clock } from '../domain/time/clock.ts';
import { checkMasterKey } from '../store/check-master-key.ts';
import { lockDatabase } from '../store/lock-database.ts';
import { checkNativeBinding } from '../store/open-sqlite.ts';
import { openStore } from '../store/open-store.ts';
import { type WatchedStore, watchWrites } from './watch-writes.ts';

/** The store of the one process that keeps its books, locked before anything is looked at or migrated, until it is closed. */
export async function openOwnedStore(
  { databaseFile, masterKey }: Pick<CoreConfig, 'databaseFile' | 'masterKey'>,
  context: { readonly logger: Logger; readonly clock: Clock },
): Promise<WatchedStore> {
  checkNativeBinding();
  const lock = await lockDatabase(databaseFile, context);
  try {
    const store = await openStore(databaseFile);
    try {
      await checkMasterKey(store, masterKey);
    } catch (error) {
      await store.close();
      throw error;
    }
    return {
      ...watchWrites(store, context),
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
