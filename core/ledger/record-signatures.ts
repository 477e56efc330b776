import type { Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { Database } from '../store/database.ts';
import type { Store } from '../store/store.ts';

/** Records written in one transaction. */
const largestBatch = 512;

/** How long a record waits for a transaction of holds to go along with, in milliseconds. */
const longestWait = 250;

/**
 * Notes which hold a signed operation belongs to. The books are right without it (an operation is found by sender and
 * nonce), it only tells two tanks with the same nonce apart; so it costs no commit of its own while holds are being
 * committed, and the answer does not wait for it.
 */
export type SignatureRecorder = {
  record(userOperationHash: Hex, holdId: number): void;
  /** Writes what waits into a transaction of the caller's; `confirm` the answer once that is committed. */
  write(transaction: Transaction<Database>): Promise<readonly Hex[]>;
  confirm(written: readonly Hex[]): void;
  /** Writes the rest and stops. */
  close(): Promise<void>;
};

export function createSignatureRecorder(store: Store, clock: Clock, logger: Logger): SignatureRecorder {
  const waiting = new Map<Hex, number>();
  let timer: NodeJS.Timeout | undefined;

  async function write(transaction: Transaction<Database>): Promise<readonly Hex[]> {
    const batch = [...waiting].slice(0, largestBatch);
    if (batch.length === 0) return [];
    const created_at = Math.floor(clock.now() / 1000);
    await transaction
      .insertInto('signatures')
      .values(batch.map(([user_operation_hash, hold_id]) => ({ user_operation_hash, hold_id, created_at })))
      .onConflict((conflict) => conflict.column('user_operation_hash').doNothing())
      .execute();
    return batch.map(([hash]) => hash);
  }

  function confirm(written: readonly Hex[]): void {
    for (const hash of written) waiting.delete(hash);
  }

  async function flush(): Promise<void> {
    timer = undefined;
    try {
      while (waiting.size > 0) confirm(await store.transaction(write));
    } catch {
      // They stay in line and go with the next transaction of holds.
      logger.error({ count: waiting.size }, 'Signature records could not be written');
    }
  }

  return {
    record: (userOperationHash, holdId) => {
      waiting.set(userOperationHash, holdId);
      timer ??= setTimeout(() => void flush(), longestWait);
    },
    write,
    confirm,
    close: async () => {
      clearTimeout(timer);
      await flush();
    },
  };
}
