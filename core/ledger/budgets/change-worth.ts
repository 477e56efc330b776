import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { addWorth, type WorthChange } from './worth-sums.ts';

/** Changes the sums of budgets by what a hold of a paymaster is worth more, or less, than before. */
export async function changeWorth(
  transaction: Transaction<Database>,
  change: Omit<WorthChange, 'accountId'>,
): Promise<void> {
  if (change.usdMicros === 0n) return;
  const paymaster = await transaction
    .selectFrom('paymasters')
    .select('account_id')
    .where('paymaster_id', '=', change.paymasterId)
    .executeTakeFirst();
  if (paymaster !== undefined) await addWorth(transaction, [{ ...change, accountId: paymaster.account_id }]);
}
