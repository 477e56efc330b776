import type { CoreConfig } from '../domain/core-config.ts';
import type { Logger } from '../domain/logger.ts';
import type { Clock } from '../domain/time/clock.ts';
import { adoptMasterKey } from '../store/master-keys/adopt-master-key.ts';
import { openStore } from '../store/open-store.ts';
import { lockDatabase } from '../store/sqlite/lock-database.ts';
import { checkNativeBinding } from '../store/sqlite/open-sqlite.ts';
import { type WatchedStore, watchWrites } from './watch-writes.ts';

/** `needsResealing`: something may still be sealed under a previous master key. */
export type OwnedStore = WatchedStore & { readonly needsResealing: boolean };

/** The store of the one process that keeps its books, locked before anything is looked at or migrated, until it is closed. */
export async function openOwnedStore(
  config: Pick<CoreConfig, 'databaseFile' | 'masterKey' | 'previousMasterKeys'>,
  context: { readonly logger: Logger; readonly clock: Clock },
): Promise<OwnedStore> {
  checkNativeBinding();
  const { databaseFile } = config;
  const lock = await lockDatabase(databaseFile, context);
  try {
    const store = await openStore(databaseFile);
    let needsResealing: boolean;
    try {
      needsResealing = await adoptMasterKey(store, config);
    } catch (error) {
      await store.close();
      throw error;
    }
    return {
      ...watchWrites(store, context),
      needsResealing,
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
