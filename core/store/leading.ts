import type { Leadership, Store } from './store.ts';

/** For the only process at a database, and for operator commands. */
export const leadsAlone: Leadership = {
  isShared: false,
  leads: () => true,
  leader: async () => undefined,
  onChange: () => () => {},
  check: async () => {},
};

/** A store for background work: its transactions are rolled back unless this process leads. */
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

/** Background work tried to write although another process leads by now. Nothing was written. */
export class NotLeadingError extends Error {
  override readonly name = 'NotLeadingError';

  constructor() {
    super('Another process keeps the ledger now');
  }
}
