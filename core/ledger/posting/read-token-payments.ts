import { type Address, getAddress } from 'viem';
import type { Store } from '../../store/store.ts';
import { notReversed } from '../reversals.ts';

/** A token and how many base units of it a user paid. */
type TokenPayment = { readonly token: Address; readonly amount: bigint };

/** Holds per query. */
const maxAtOnce = 500;

/** What users paid in tokens for the operations of these holds; holds without a payment are missing from the result. */
export async function readTokenPayments(
  db: Pick<Store['db'], 'selectFrom'>,
  holdIds: readonly number[],
): Promise<ReadonlyMap<number, TokenPayment>> {
  const payments = new Map<number, TokenPayment>();
  for (let start = 0; start < holdIds.length; start += maxAtOnce) {
    const rows = await db
      .selectFrom('token_payments')
      .select(['hold_id', 'token', 'amount'])
      .where('hold_id', 'in', holdIds.slice(start, start + maxAtOnce))
      .where(notReversed('token_payments', 'token_payment_id'))
      .execute();
    for (const { hold_id, token, amount } of rows) {
      if (hold_id !== null) payments.set(hold_id, { token: getAddress(token), amount: BigInt(amount) });
    }
  }
  return payments;
}
