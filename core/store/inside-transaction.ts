import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** What is called once a running transaction is committed. */
const afterCommits = new WeakMap<Transaction<Database>, (() => void)[]>();

/**
 * The store whose transaction the current work belongs to. Undefined unless uses are watched: before Node.js 24, one storage costs
 * every promise of the process, a fifth of a decision's processor time.
 */
let running: AsyncLocalStorage<object> | undefined;

/** From now on `refuseInside` finds what it forbids. For tests and development: only a bug does that. */
export function watchTransactions(): void {
  running ??= new AsyncLocalStorage();
}

/**
 * Throws within the work of a transaction of this store, if uses are watched: the work has a handle of its own. `what` is the member
 * that was used.
 */
export function refuseInside(store: object, what: string): void {
  if (running?.getStore() === store) {
    throw new Error(`store.${what} was used inside a transaction: use its own handle`);
  }
}

/** Calls `listener` when the transaction is committed, and never if it is not. Its rows are invisible to others before. */
export function afterCommit(transaction: Transaction<Database>, listener: () => void): void {
  const listeners = afterCommits.get(transaction);
  if (listeners === undefined) throw new Error('There is no transaction whose commit can be reported');
  listeners.push(listener);
}

/** A store's `transaction`, made from one that runs the work and commits; `store` is what tells it from others. */
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
