import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import { queueOperation, type SettledOperation } from './queue-operation-notification.ts';

/**
 * Queues `operation.diverged` for those who listen: the call of an operation has reverted on chain that went through in the
 * simulation it was signed after. The state has changed since, or the operation was griefed: before EntryPoint 0.9 anyone who
 * bundles can make a valid one fail. In the transaction that settles the hold.
 */
export function queueOperationDiverged(transaction: Transaction<Database>, settled: SettledOperation): Promise<void> {
  return queueOperation(transaction, 'operation.diverged', settled);
}
