import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from './store.ts';

/**
 * The transaction whose work is running. One for all stores: each existing storage adds cost to every promise of the
 * process.
 */
const running = new AsyncLocalStorage<{ readonly store: object; readonly reported: (() => void)[] }>();

/** Throws within a transaction of this store, whose work must use its own handle. `what` is the member that was used. */
export function refuseInside(store: object, what: string): void {
  if (running.getStore()?.store === store) {
    throw new Error(`store.${what} was used inside a transaction: use its own handle`);
  }
}

/** Calls `tell` when the running transaction commits, and not if it does not. Until then no one else sees its rows. */
export function afterCommit(tell: () => void): void {
  const transaction = running.getStore();
  if (transaction === undefined) throw new Error('There is no transaction whose commit can be reported');
  transaction.reported.push(tell);
}

/** Creates a store's `transaction` from a function that runs the work and commits; `store` identifies the store. */
export function createTransaction(store: object, execute: Store['transaction']): Store['transaction'] {
  return async (work) => {
    const reported: (() => void)[] = [];
    const result = await execute((transaction) => running.run({ store, reported }, () => work(transaction)));
    for (const tell of reported) tell();
    return result;
  };
}
