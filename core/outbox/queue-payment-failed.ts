import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import { findListeners } from './find-listeners.ts';
import { queueDelivery } from './queue-delivery.ts';
import type { SettledOperation } from './queue-operation-notification.ts';

/**
 * Queues `payment.failed` for those who listen: an operation in token mode has landed, and its tokens were gone when they
 * were to be taken. In the transaction that settles the hold.
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
