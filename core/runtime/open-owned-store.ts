import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { CoreConfig } from '../domain/core-config.ts';
import { adoptMasterKey } from '../store/master-keys/adopt-master-key.ts';
import { openOwnStore } from '../store/open-store.ts';
import { type WatchedStore, watchWrites } from './watch-writes.ts';

/** `needsResealing`: some data may still be sealed under a previous master key. */
export type OwnedStore = WatchedStore & { readonly needsResealing: boolean };

/** The store of a service process, until it is closed. */
export async function openOwnedStore(
  config: Pick<CoreConfig, 'database' | 'masterKey' | 'previousMasterKeys'>,
  context: { readonly logger: Logger; readonly clock: Clock; readonly name?: string | undefined },
): Promise<OwnedStore> {
  const store = await openOwnStore(config.database, context);
  try {
    const needsResealing = await adoptMasterKey(store, config);
    return { ...watchWrites(store, context), needsResealing };
  } catch (error) {
    await store.close();
    throw error;
  }
}
