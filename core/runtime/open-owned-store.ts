import type { CoreConfig } from '../domain/core-config.ts';
import type { Logger } from '../domain/logger.ts';
import { checkMasterKey } from '../store/check-master-key.ts';
import { lockDatabase } from '../store/lock-database.ts';
import { checkNativeBinding } from '../store/open-sqlite.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

/** The store of the one process that keeps its books, locked before anything is looked at or migrated, until it is closed. */
export async function openOwnedStore(
  { databaseFile, masterKey }: Pick<CoreConfig, 'databaseFile' | 'masterKey'>,
  logger: Logger,
): Promise<Store> {
  checkNativeBinding();
  const lock = await lockDatabase(databaseFile, { logger });
  try {
    const store = await openStore(databaseFile);
    try {
      await checkMasterKey(store, masterKey);
    } catch (error) {
      await store.close();
      throw error;
    }
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
