import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { notReversed } from '../reversals/not-reversed.ts';
import type { Reversed } from './reverse-movements.ts';

/** Reverses what users paid in tokens. */
export async function reverseTokenPayments(
  transaction: Transaction<Database>,
  { chainId, contract, toBlock, rewind }: Reversed,
  now: number,
): Promise<void> {
  const rows = await transaction
    .selectFrom('token_payments')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('block_number', '>', Number(toBlock))
    .where(notReversed('token_payments', 'token_payment_id'))
    .execute();
  for (const { token_payment_id: reverses, ...row } of rows) {
    await transaction
      .insertInto('token_payments')
      .values({ ...row, reverses, rewind, created_at: now })
      .execute();
  }
}
