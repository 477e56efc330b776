import type { Transaction } from 'kysely';
import type { Logger } from '../domain/logger.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** Rows written in one transaction. */
const maxBatch = 256;

/** How long a row waits for another transaction to join, in milliseconds. */
const maxWait = 250;

/** Rows that may wait; when the database takes none for too long, the oldest are given up. */
const maxWaiting = 50_000;

/**
 * Rows that the books are right without. They cost no commit of their own while others commit, and no answer waits for
 * them.
 */
export type WriteBehind<T> = {
  add(row: T): void;
  /** Writes what waits into a transaction of the caller's; the answer is to be called once that is committed. */
  ride(transaction: Transaction<Database>): Promise<() => void>;
  /** Writes all that waits now. */
  flush(): Promise<void>;
  /** Writes the rest and stops. */
  close(): Promise<void>;
};

/** `insert` must leave a row alone that is there already; `what` names the rows in the log. */
export function createWriteBehind<T>(options: {
  readonly store: Store;
  readonly logger: Logger;
  readonly what: string;
  readonly insert: (transaction: Transaction<Database>, rows: readonly T[]) => Promise<void>;
}): WriteBehind<T> {
  const { store, logger, what, insert } = options;
  const waiting = new Set<T>();
  let timer: NodeJS.Timeout | undefined;

  async function ride(transaction: Transaction<Database>): Promise<() => void> {
    const batch: T[] = [];
    for (const row of waiting) {
      if (batch.length === maxBatch) break;
      batch.push(row);
    }
    if (batch.length > 0) await insert(transaction, batch);
    return () => {
      for (const row of batch) waiting.delete(row);
    };
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      while (waiting.size > 0) {
        const arrive = await store.transaction(ride);
        arrive();
      }
    } catch (error) {
      // They stay in line and go with the next transaction.
      logger.error({ err: error, count: waiting.size }, `${what} could not be written`);
    }
  }

  return {
    add: (row) => {
      waiting.add(row);
      if (waiting.size > maxWaiting) {
        for (const oldest of waiting) {
          waiting.delete(oldest);
          break;
        }
      }
      timer ??= setTimeout(() => void flush(), maxWait);
    },
    ride,
    flush,
    close: flush,
  };
}
