import type { Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import type { Database } from '../store/database.ts';
import { findListeners } from './find-listeners.ts';
import { queueDelivery } from './queue-delivery.ts';

/** An operation that has landed and whose hold is settled. Amounts in wei, `now` in Unix seconds. */
export type SettledOperation = {
  readonly paymasterId: string;
  readonly chainId: number;
  /** The paymaster contract. */
  readonly contract: Address | string;
  readonly sender: Address | string;
  readonly nonce: bigint;
  readonly userOperationHash: Hex | string;
  /** What the EntryPoint took from the contract's deposit. */
  readonly actualGasCost: bigint;
  /** What the gas tank paid. */
  readonly charge: bigint;
  /** False when the operation's own call reverted, which costs nevertheless. */
  readonly success: boolean;
  readonly txHash: Hex | string;
  readonly holdId: number;
  readonly now: number;
};

/**
 * Queues `operation.settled` or `operation.failed` for those who listen, in the transaction that settles the hold. When
 * no one does, this is one query by index.
 */
export async function queueOperationNotification(
  transaction: Transaction<Database>,
  settled: SettledOperation,
): Promise<void> {
  await queueOperation(transaction, settled.success ? 'operation.settled' : 'operation.failed', settled);
}

/** Queues an event about an operation that has landed, with all that is known of it. */
export async function queueOperation(
  transaction: Transaction<Database>,
  type: 'operation.settled' | 'operation.failed' | 'operation.diverged',
  { now, paymasterId, chainId, ...operation }: SettledOperation,
): Promise<void> {
  const listeners = await findListeners(transaction, paymasterId, type);
  if (listeners.length === 0) return;
  const data = {
    ...operation,
    nonce: operation.nonce.toString(),
    actualGasCost: operation.actualGasCost.toString(),
    charge: operation.charge.toString(),
  };
  for (const notificationId of listeners) {
    await queueDelivery(transaction, notificationId, { type, paymasterId, chainId, data }, now);
  }
}
