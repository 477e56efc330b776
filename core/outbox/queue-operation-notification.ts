import type { Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import type { Database } from '../store/database.ts';
import type { ReleaseCause } from '../store/hold-fields.ts';
import { findListeners, queueDelivery } from './queue-delivery.ts';

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
  /** False when the operation's own call reverted, which still costs gas. */
  readonly success: boolean;
  readonly txHash: Hex | string;
  readonly holdId: number;
  readonly now: number;
};

/**
 * Queues `operation.settled` or `operation.failed` for subscribers, in the transaction that settles the hold. Without
 * subscribers this is one indexed query.
 */
export async function queueOperationNotification(
  transaction: Transaction<Database>,
  settled: SettledOperation,
): Promise<void> {
  await queueOperation(transaction, settled.success ? 'operation.settled' : 'operation.failed', settled);
}

/** Queues an event about a landed operation, with everything known about it. */
async function queueOperation(
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

/**
 * Queues `operation.diverged` for subscribers: an operation's call reverted on chain although it succeeded in the simulation
 * before signing. The state changed since, or the operation was griefed: before EntryPoint 0.9 any bundler can make a valid
 * one fail. In the transaction that settles the hold.
 */
export function queueOperationDiverged(transaction: Transaction<Database>, settled: SettledOperation): Promise<void> {
  return queueOperation(transaction, 'operation.diverged', settled);
}

/**
 * Queues `payment.failed` for subscribers: a token mode operation landed, but its tokens were gone at payment. In the
 * transaction that settles the hold.
 */
export async function queuePaymentFailed(
  transaction: Transaction<Database>,
  { now, paymasterId, chainId, ...operation }: SettledOperation,
): Promise<void> {
  const type = 'payment.failed';
  const { sender, nonce, userOperationHash, contract, charge, txHash, holdId } = operation;
  const data = {
    sender,
    nonce: nonce.toString(),
    userOperationHash,
    contract,
    charge: charge.toString(),
    txHash,
    holdId,
  };
  for (const notificationId of await findListeners(transaction, paymasterId, type)) {
    await queueDelivery(transaction, notificationId, { type, paymasterId, chainId, data }, now);
  }
}

/** An operation that reached a step of its life cycle. `now` in Unix seconds. */
type OperationStep = {
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
      /** The operation that used its nonce, if an event reports it. */
      readonly replacedBy?: string;
    }
);

/**
 * Queues `operation.sent`, `operation.included` or `operation.dropped` for subscribers, in the transaction of the fact. The
 * caller ensures at most one of each per operation.
 */
export async function queueOperationStep(
  transaction: Transaction<Database>,
  { type, now, paymasterId, chainId, ...data }: OperationStep,
): Promise<void> {
  for (const notificationId of await findListeners(transaction, paymasterId, type)) {
    await queueDelivery(transaction, notificationId, { type, paymasterId, chainId, data }, now);
  }
}
