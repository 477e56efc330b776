import { randomBytes } from 'node:crypto';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { CoreConfig } from '../domain/core-config.ts';
import { adoptMasterKey } from '../store/master-keys/adopt-master-key.ts';
import { openOwnStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { DatabaseLostError, storageFault } from '../store/store-error.ts';

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

/** Least interval of probes while writing fails, in milliseconds. */
const betweenProbes = 3_000;

/**
 * Bytes that a probe writes: more than a transaction of the service. A nearly full disk may still accept small changes while
 * it refuses every hold.
 */
const probeBytes = 524_288;

/** A store that tracks whether its database accepts writes. */
export type WatchedStore = Store & {
  /** Why nothing can be written, in words: from the first transaction that failed for it until a probe succeeds. */
  writeFault(): Promise<string | undefined>;
};

/** Logs once when writing begins to fail, with the cause, and once when it works again. */
export function watchWrites(
  store: Store,
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
): WatchedStore {
  let fault: { readonly detail: string; probedAt: number } | undefined;

  function note(cause: unknown): void {
    const detail = storageFault(cause);
    if (detail === undefined || fault?.detail === detail) return;
    logger.error({ err: cause }, `Nothing can be written: ${detail}`);
    fault = { detail, probedAt: clock.now() };
  }

  async function probe(): Promise<void> {
    if (fault === undefined || clock.now() - fault.probedAt < betweenProbes) return;
    fault.probedAt = clock.now();
    try {
      await writeProbe(store);
    } catch (cause) {
      note(cause);
      return;
    }
    if (fault !== undefined) logger.info({}, 'The database is writable again');
    fault = undefined;
  }

  return {
    ...store,
    transaction: async (work) => {
      try {
        const result = await store.transaction(work);
        void probe();
        return result;
      } catch (cause) {
        note(cause);
        throw cause;
      }
    },
    writeFault: async () => {
      const damage = store.damage();
      if (damage !== undefined) note(new DatabaseLostError(damage));
      await probe();
      return fault?.detail;
    },
  };
}

/** Writes a row and deletes it, each in its own transaction, so that both are on disk. */
async function writeProbe(store: Store): Promise<void> {
  const filler = randomBytes(probeBytes);
  await store.transaction((trx) =>
    trx
      .insertInto('write_probe')
      .values({ probe: 1, filler })
      .onConflict((conflict) => conflict.column('probe').doUpdateSet({ filler }))
      .execute(),
  );
  await store.transaction((trx) => trx.deleteFrom('write_probe').execute());
}
