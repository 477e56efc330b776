import type { Transaction } from 'kysely';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { rollbacksOfContract } from '../reversals/current-rollback.ts';

/** Notes what a user paid in a token, next to the hold that the operation had. */
export async function postTokenPayment(
  transaction: Transaction<Database>,
  paid: {
    readonly chainId: number;
    readonly event: UserOperationLanded;
    readonly payment: NonNullable<UserOperationLanded['tokenPayment']>;
    readonly holdId: number | undefined;
  },
  now: number,
): Promise<void> {
  const { event, payment } = paid;
  await transaction
    .insertInto('token_payments')
    .values({
      chain_id: paid.chainId,
      contract: event.contract,
      tx_hash: event.txHash,
      log_index: payment.logIndex,
      user_operation_hash: event.userOperationHash,
      hold_id: paid.holdId ?? null,
      token: payment.token,
      amount: payment.amount.toString(),
      block_number: Number(event.blockNumber),
      created_at: now,
      rewind: rollbacksOfContract(paid.chainId, event.contract),
    })
    .execute();
}
