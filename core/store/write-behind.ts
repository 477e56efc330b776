import type { Transaction } from 'kysely';
import type { Logger } from '../base/logger.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import { DatabaseLostError } from './store-error.ts';

/** Most rows written in one transaction, and most bytes of them: other writers wait for it. */
const maxBatch = 256;
const maxBatchBytes = 512 * 1_024;

/** How long a row waits for others, in milliseconds, and how long all wait after the database took none. */
const maxWait = 250;
const waitAfterFailure = 5_000;

/** Most waiting rows, and their bytes; if the database accepts none for too long, the owner with the most rows loses its oldest. */
export const maxWaiting = 50_000;
const maxWaitingBytes = 64 * 1_024 * 1_024;

/** Rows that the ledger does not depend on: neither an answer nor a hold waits for them, or fails with them. */
export type WriteBehind<T> = {
  add(row: T): void;
  /** Writes all waiting rows now. */
  flush(): Promise<void>;
  /** Writes the rest and stops. */
  close(): Promise<void>;
};

/**
 * `insert` must skip a row that exists already; `what` names the rows in the log, `ownerOf` returns a row's tenant, `bytesOf` about what
 * it takes. A batch that fails is written in parts, so that a row that the database refuses costs no other its place: it is dropped.
 */
export function createWriteBehind<T>(options: {
  readonly store: Store;
  readonly logger: Logger;
  readonly what: string;
  readonly ownerOf: (row: T) => string;
  readonly bytesOf: (row: T) => number;
  readonly insert: (transaction: Transaction<Database>, rows: readonly T[]) => Promise<void>;
}): WriteBehind<T> {
  const { store, logger, what, ownerOf, bytesOf, insert } = options;
  const waiting = createFairLine(ownerOf, bytesOf);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  /** Writes the rest row by row after a failure, until as many are through. */
  async function writeAll(): Promise<void> {
    let most = maxBatch;
    /** A row that failed alone: the next one shows whether it is the row or the database. */
    let suspect: { readonly row: T; readonly error: unknown } | undefined;
    for (let batch = waiting.next(most); batch.length > 0; batch = waiting.next(most, suspect?.row)) {
      try {
        await store.transaction((transaction) => insert(transaction, batch));
        for (const row of batch) waiting.delete(row);
        const failed = suspect;
        suspect = undefined;
        if (failed !== undefined) await tryAgain(failed.row);
        most = Math.min(2 * most, maxBatch);
      } catch (error) {
        if (error instanceof DatabaseLostError || suspect !== undefined) throw error;
        if (batch.length > 1) most = Math.ceil(batch.length / 2);
        else suspect = batch.map((row) => ({ row, error }))[0];
      }
    }
    if (suspect !== undefined) throw suspect.error;
  }

  /** For a row that failed alone where the next one did not. */
  async function tryAgain(row: T): Promise<void> {
    try {
      await store.transaction((transaction) => insert(transaction, [row]));
    } catch (error) {
      if (error instanceof DatabaseLostError) throw error;
      logger.error({ err: error, owner: ownerOf(row) }, `${what}: the database refuses one, which is dropped`);
    }
    waiting.delete(row);
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      await writeAll();
    } catch (error) {
      logger.error({ err: error, count: waiting.size() }, `${what} could not be written`);
      timer ??= setTimeout(() => void flush(), waitAfterFailure).unref();
    } finally {
      writing = undefined;
    }
  }

  /** Rows that are added while it writes are written too. */
  function flush(): Promise<void> {
    writing ??= write();
    return writing;
  }

  return {
    add: (row) => {
      waiting.add(row);
      while (waiting.size() > maxWaiting || waiting.bytes() > maxWaitingBytes) waiting.giveUpOne();
      timer ??= setTimeout(() => void flush(), maxWait);
    },
    flush,
    close: async () => {
      await flush();
      clearTimeout(timer);
    },
  };
}

/** Rows in order of arrival, in total and per owner. A flood of one owner's rows costs no other owner a row. */
function createFairLine<T>(ownerOf: (row: T) => string, bytesOf: (row: T) => number) {
  const line = new Map<T, number>();
  const owners = new Map<string, Set<T>>();
  let bytes = 0;

  function remove(row: T): void {
    const owner = ownerOf(row);
    const own = owners.get(owner);
    bytes -= line.get(row) ?? 0;
    line.delete(row);
    own?.delete(row);
    if (own?.size === 0) owners.delete(owner);
  }

  return {
    size: () => line.size,
    bytes: () => bytes,
    /** The oldest rows, at most so many, without one of them; one at least, whatever its size. */
    next(count: number, without?: T): readonly T[] {
      const batch: T[] = [];
      let size = 0;
      for (const [row, rowBytes] of line) {
        if (batch.length === count || (batch.length > 0 && size + rowBytes > maxBatchBytes)) break;
        if (row === without) continue;
        batch.push(row);
        size += rowBytes;
      }
      return batch;
    },
    add(row: T) {
      const rowBytes = bytesOf(row);
      bytes += rowBytes - (line.get(row) ?? 0);
      line.set(row, rowBytes);
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
