import type { Hex } from 'viem';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { Store } from '../store/store.ts';

const largestBatch = 512;

/**
 * Notes which hold a signed operation belongs to, many at a time and after the answer: the books are right without it
 * (an operation is found by sender and nonce), it only tells two tanks with the same nonce apart.
 */
export type SignatureRecorder = { record(userOperationHash: Hex, holdId: number): void; settled(): Promise<void> };

export function createSignatureRecorder(store: Store, clock: Clock, logger: Logger): SignatureRecorder {
  const waiting = new Map<Hex, number>();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, largestBatch);
      for (const [hash] of batch) waiting.delete(hash);
      const created_at = Math.floor(clock.now() / 1000);
      try {
        await store.db
          .insertInto('signatures')
          .values(batch.map(([user_operation_hash, hold_id]) => ({ user_operation_hash, hold_id, created_at })))
          .onConflict((conflict) => conflict.column('user_operation_hash').doNothing())
          .execute();
      } catch {
        logger.error({ count: batch.length }, 'Signature records could not be written');
      }
    }
    running = undefined;
  }

  return {
    record: (userOperationHash, holdId) => {
      waiting.set(userOperationHash, holdId);
      running ??= run();
    },
    settled: async () => {
      await running;
    },
  };
}
