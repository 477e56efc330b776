import type { Transaction } from 'kysely';
import { mapInTurns } from '../../base/time/in-own-turn.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei.ts';
import { countedRow, readCountedHolds } from '../accounts/follow-holds.ts';
import type { Quantity } from '../accounts/ledger-accounts.ts';
import { addLegChanges } from '../accounts/legs.ts';

/** Accounts that are compared at once: what their holds count is in memory until then. */
const accountsAtOnce = 200_000;
/** Holds in one read. */
const holdsAtOnce = 1_000;
/** How many accounts are named. */
const maxNamed = 20;

const nothing: Quantity = { count: 0, amount: 0n };

/**
 * The accounts of a snapshot that are not what archived holds left in them plus the legs of all stored holds, each with both. It
 * reads every hold, and all of them again for every 200,000 accounts.
 */
export async function checkAccounts(snapshot: Transaction<Database>): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let after = 0; ; ) {
    const accounts = await snapshot
      .selectFrom('ledger_accounts')
      .selectAll()
      .where('account_id', '>', after)
      .orderBy('account_id')
      .limit(accountsAtOnce)
      .execute();
    const last = accounts.at(-1);
    if (last === undefined) break;
    const counted = await addUpLegs(snapshot, { after, until: last.account_id });
    await mapInTurns(accounts, ({ account_id, name, count, amount, base_count, base_amount }) => {
      const legs = counted.get(account_id) ?? nothing;
      const [stored, sum] = [fromWeiText(amount), fromWeiText(base_amount) + legs.amount];
      if (count === base_count + legs.count && stored === sum) return;
      faults.push(`account ${name}: stored ${count} and ${stored}, its holds ${base_count + legs.count} and ${sum}`);
    });
    after = last.account_id;
  }
  const more = faults.length - maxNamed;
  return more > 0 ? [...faults.slice(0, maxNamed), `${more} more accounts differ from their holds`] : faults;
}

/** What all stored holds count in the accounts of a range of numbers. */
async function addUpLegs(
  snapshot: Transaction<Database>,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<ReadonlyMap<number, Quantity>> {
  const sums = new Map<number, Quantity>();
  for (let hold = 0; ; ) {
    const ids = await snapshot
      .selectFrom('holds')
      .select('hold_id')
      .where('hold_id', '>', hold)
      .orderBy('hold_id')
      .limit(holdsAtOnce)
      .execute();
    const last = ids.at(-1);
    if (last === undefined) return sums;
    const { holds } = await readCountedHolds(
      snapshot,
      ids.map(({ hold_id }) => hold_id),
    );
    await mapInTurns(holds, (row) => {
      const own = new Map<number, Quantity>();
      addLegChanges(own, { after: countedRow(row) });
      for (const [id, { count, amount }] of own) {
        if (id <= after || id > until) continue;
        const sum = sums.get(id) ?? nothing;
        sums.set(id, { count: sum.count + count, amount: sum.amount + amount });
      }
    });
    hold = last.hold_id;
  }
}
