import type { Store } from '../store.ts';

/** The same store for background work: its transactions are rolled back unless this process leads. */
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
