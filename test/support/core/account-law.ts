import type { Kysely } from 'kysely';
import type { Quantity } from '../../../core/ledger/accounts/ledger-accounts.ts';
import { addLegChanges } from '../../../core/ledger/accounts/legs.ts';
import { countedRow, readCountedHolds } from '../../../core/ledger/sums/follow-holds.ts';
import type { Database } from '../../../core/store/database.ts';
import { fromWeiText } from '../../../core/store/wei.ts';

/** Accounts that are not what archived holds left plus the legs of all stored holds, each with both. */
export async function brokenAccounts(db: Kysely<Database>): Promise<readonly string[]> {
  const ids = await db.selectFrom('holds').select('hold_id').execute();
  const { holds } = await readCountedHolds(
    db,
    ids.map(({ hold_id }) => hold_id),
  );
  const legs = new Map<number, Quantity>();
  for (const hold of holds) addLegChanges(legs, { after: countedRow(hold) });
  const accounts = await db.selectFrom('ledger_accounts').selectAll().execute();
  return accounts.flatMap(({ account_id, name, count, amount, base_count, base_amount }) => {
    const own = legs.get(account_id) ?? { count: 0, amount: 0n };
    const sum = { count: base_count + own.count, amount: fromWeiText(base_amount) + own.amount };
    const isRight = count === sum.count && fromWeiText(amount) === sum.amount;
    return isRight ? [] : [`${name}: stored ${count} and ${fromWeiText(amount)}, legs ${sum.count} and ${sum.amount}`];
  });
}
