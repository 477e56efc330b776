import type { Logger } from '../domain/logger.ts';
import type { Clock } from '../domain/time/clock.ts';
import { storageFault } from '../store/storage-fault.ts';
import type { Store } from '../store/store.ts';

/** While writing fails it is tried again at most this often for the sake of readiness, in milliseconds. */
const betweenProbes = 3_000;

/** A store that remembers whether its database takes what is written. */
export type WatchedStore = Store & {
  /** Why nothing can be written, in words. Undefined when the last transaction was committed, or failed by itself. */
  writeFault(): Promise<string | undefined>;
};

/** Logs once when writing begins to fail, with the cause, and once when it works again. */
export function watchWrites(
  store: Store,
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
): WatchedStore {
  let fault: { readonly detail: string; probedAt: number } | undefined;

  const transaction: Store['transaction'] = async (work) => {
    try {
      const result = await store.transaction(work);
      if (fault !== undefined) logger.info({}, 'The database can be written to again');
      fault = undefined;
      return result;
    } catch (cause) {
      const detail = storageFault(cause);
      if (detail !== undefined && fault?.detail !== detail) {
        logger.error({ err: cause }, `Nothing can be written: ${detail}`);
        fault = { detail, probedAt: clock.now() };
      }
      throw cause;
    }
  };

  /** Writes a row as it is. */
  const probe = () =>
    transaction((trx) =>
      trx
        .updateTable('master_keys')
        .set((row) => ({ digest: row.ref('digest') }))
        .execute(),
    );

  return {
    ...store,
    transaction,
    writeFault: async () => {
      if (fault !== undefined && clock.now() - fault.probedAt >= betweenProbes) {
        fault.probedAt = clock.now();
        await probe().catch(() => undefined);
      }
      return fault?.detail;
    },
  };
}
