import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** Listeners to call when a running transaction commits. */
const afterCommits = new WeakMap<Transaction<Database>, (() => void)[]>();

/**
 * The store whose transaction is running. Undefined unless watched: before Node.js 24, a storage in use adds cost to every promise
 * of the process.
 */
let running: AsyncLocalStorage<object> | undefined;

/** Makes `refuseInside` detect misuse until the result is called. For tests and development, since only a bug causes it. */
export function watchTransactions(): () => void {
  if (running !== undefined) return () => undefined;
  const watched = new AsyncLocalStorage<object>();
  running = watched;
  return () => {
    watched.disable();
    running = undefined;
  };
}

/**
 * Throws within a transaction of this store, whose work must use its own handle, if transactions are watched. `what` is the member
 * that was used.
 */
export function refuseInside(store: object, what: string): void {
  if (running?.getStore() === store) throw new Error(`store.${what} was used inside a transaction: use its own handle`);
}

/** Calls `listener` when the transaction commits, and not if it does not. Until then no one else sees its rows. */
export function afterCommit(transaction: Transaction<Database>, listener: () => void): void {
  const listeners = afterCommits.get(transaction);
  if (listeners === undefined) throw new Error('There is no transaction whose commit can be reported');
  listeners.push(listener);
}

/** Creates a store's `transaction` from a function that runs the work and commits; `store` identifies the store. */
export function createTransaction(store: object, execute: Store['transaction']): Store['transaction'] {
  return async (work) => {
    const listeners: (() => void)[] = [];
    const result = await execute((transaction) => {
      afterCommits.set(transaction, listeners);
      return running === undefined ? work(transaction) : running.run(store, () => work(transaction));
    });
    for (const listener of listeners) listener();
    return result;
  };
}
