import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from './store.ts';

/** The transaction whose work is running. One for all stores: each that exists costs every promise of the process. */
const running = new AsyncLocalStorage<{ readonly store: object; readonly reported: (() => void)[] }>();

/**
 * Throws within the work of a transaction of this store: it has a handle of its own. `what` is the member that was
 * used.
 */
export function refuseInside(store: object, what: string): void {
  if (running.getStore()?.store === store) {
    throw new Error(`store.${what} was used inside a transaction: use its own handle`);
  }
}

/**
 * Has `tell` called when the running transaction is committed, and never when it is not. No one else sees its rows
 * before.
 */
export function afterCommit(tell: () => void): void {
  const transaction = running.getStore();
  if (transaction === undefined) throw new Error('There is no transaction whose commit can be reported');
  transaction.reported.push(tell);
}

/** A store's `transaction`, made from one that runs the work and commits; `store` is what tells it from others. */
export function createTransaction(store: object, execute: Store['transaction']): Store['transaction'] {
  return async (work) => {
    const reported: (() => void)[] = [];
    const result = await execute((transaction) => running.run({ store, reported }, () => work(transaction)));
    for (const tell of reported) tell();
    return result;
  };
}
