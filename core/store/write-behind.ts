import type { Transaction } from 'kysely';
import type { Logger } from '../base/logger.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** Most rows written in one transaction. */
const maxBatch = 256;

/** How long a row waits for another transaction to join, in milliseconds. */
const maxWait = 250;

/** Most waiting rows; if the database accepts none for too long, the owner with the most rows loses its oldest. */
export const maxWaiting = 50_000;

/** Rows that the ledger does not depend on. They share the commits of other transactions, and no answer waits for them. */
export type WriteBehind<T> = {
  add(row: T): void;
  /** Writes waiting rows in the caller's transaction; call the returned function once it has committed. */
  ride(transaction: Transaction<Database>): Promise<() => void>;
  /** Writes all waiting rows now. */
  flush(): Promise<void>;
  /** Writes the rest and stops. */
  close(): Promise<void>;
};

/** `insert` must skip a row that exists already; `what` names the rows in the log, `ownerOf` returns a row's tenant. */
export function createWriteBehind<T>(options: {
  readonly store: Store;
  readonly logger: Logger;
  readonly what: string;
  readonly ownerOf: (row: T) => string;
  readonly insert: (transaction: Transaction<Database>, rows: readonly T[]) => Promise<void>;
}): WriteBehind<T> {
  const { store, logger, what, ownerOf, insert } = options;
  const waiting = createFairLine(ownerOf);
  let timer: NodeJS.Timeout | undefined;

  async function ride(transaction: Transaction<Database>): Promise<() => void> {
    const batch: T[] = [];
    for (const row of waiting.rows()) {
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
      while (waiting.size() > 0) {
        const arrive = await store.transaction(ride);
        arrive();
      }
    } catch (error) {
      // They stay queued and go with the next transaction.
      logger.error({ err: error, count: waiting.size() }, `${what} could not be written`);
    }
  }

  return {
    add: (row) => {
      waiting.add(row);
      if (waiting.size() > maxWaiting) waiting.giveUpOne();
      timer ??= setTimeout(() => void flush(), maxWait);
    },
    ride,
    flush,
    close: flush,
  };
}

/** Rows in order of arrival, in total and per owner. A flood of one owner's rows costs no other owner a row. */
function createFairLine<T>(ownerOf: (row: T) => string) {
  const line = new Set<T>();
  const owners = new Map<string, Set<T>>();

  function remove(row: T): void {
    const owner = ownerOf(row);
    const own = owners.get(owner);
    line.delete(row);
    own?.delete(row);
    if (own?.size === 0) owners.delete(owner);
  }

  return {
    size: () => line.size,
    rows: (): Iterable<T> => line,
    add(row: T) {
      line.add(row);
      const owner = ownerOf(row);
      owners.set(owner, (owners.get(owner) ?? new Set()).add(row));
    },
    delete: remove,
    giveUpOne() {
      let most = new Set<T>();
      for (const own of owners.values()) if (own.size > most.size) most = own;
      for (const oldest of most) {
        remove(oldest);
        break;
      }
    },
  };
}
