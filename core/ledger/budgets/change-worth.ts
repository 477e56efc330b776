import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { addWorth, type WorthChange } from './worth-sums.ts';

/** Changes the sums of budgets by what a hold of a paymaster is worth more, or less, than before. */
export async function changeWorth(
  transaction: Transaction<Database>,
  change: Omit<WorthChange, 'accountId'>,
): Promise<void> {
  if (change.usdMicros === 0n) return;
  const [[paymaster]] = await runTogether(transaction, accountOf(change));
  if (paymaster !== undefined) await addWorth(transaction, [{ ...change, accountId: paymaster.account_id }]);
}

const accountOf = fixedStatement<Pick<WorthChange, 'paymasterId'>>()(({ db, value }) =>
  db.selectFrom('paymasters').select('account_id').where('paymaster_id', '=', value('paymasterId')),
);
