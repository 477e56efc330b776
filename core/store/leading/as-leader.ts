import type { Store } from '../store.ts';

/** The same store for what runs by itself: its transactions are rolled back where this process does not lead. */
export function asLeader<S extends Store>(store: S): S {
  return {
    ...store,
    transaction: (work) =>
      store.transaction(async (trx) => {
        await store.leadership.check(trx);
        return work(trx);
      }),
  };
}
