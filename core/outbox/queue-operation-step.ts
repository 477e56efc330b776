import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import type { ReleaseCause } from '../store/ledger-tables.ts';
import { findListeners } from './find-listeners.ts';
import { queueDelivery } from './queue-delivery.ts';

/** An operation that took a step of its life. `now` in Unix seconds. */
export type OperationStep = {
  readonly paymasterId: string;
  readonly chainId: number;
  /** The paymaster contract. */
  readonly contract: string;
  readonly sender: string;
  readonly nonce: string;
  readonly userOperationHash: string;
  readonly holdId: number;
  readonly now: number;
} & (
  | { readonly type: 'operation.sent' }
  | {
      readonly type: 'operation.included';
      /** False when its own calls reverted. */
      readonly success: boolean;
      readonly txHash: string;
      readonly blockNumber: string;
      /** What the gas tank paid, in wei. */
      readonly charge: string;
    }
  | {
      readonly type: 'operation.dropped';
      readonly because: ReleaseCause;
      /** The operation that used its nonce, where an event tells. */
      readonly replacedBy?: string;
    }
);

/**
 * Queues `operation.sent`, `operation.included` or `operation.dropped` for those who listen, in the transaction of the fact. The
 * caller makes sure that there is one at most of each for an operation.
 */
export async function queueOperationStep(
  transaction: Transaction<Database>,
  { type, now, paymasterId, chainId, ...data }: OperationStep,
): Promise<void> {
  for (const notificationId of await findListeners(transaction, paymasterId, type)) {
    await queueDelivery(transaction, notificationId, { type, paymasterId, chainId, data }, now);
  }
}
