import type { Transaction } from 'kysely';
import { mapInTurns } from '../../base/time/in-own-turn.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei.ts';
import { countedRow, readCountedHolds } from '../accounts/follow-holds.ts';
import type { Quantity } from '../accounts/ledger-accounts.ts';
import { addLegChanges } from '../accounts/legs.ts';

/** Accounts that are compared at once: what their holds count is in memory until then. */
const accountsAtOnce = 200_000;
/** Rows in one read: they arrive in one turn of the event loop. */
const rowsAtOnce = 1_000;
/** How many accounts are named. */
const maxNamed = 20;

const nothing: Quantity = { count: 0, amount: 0n };

/**
 * The accounts of a snapshot that are not what archived holds left in them plus the legs of all stored holds, each with both. It
 * reads every hold, and all of them again for every 200,000 accounts.
 */
export async function checkAccounts(
  snapshot: Transaction<Database>,
  atOnce = accountsAtOnce,
): Promise<readonly string[]> {
  const faults: Faults = { named: [], more: 0 };
  for (let after = 0; ; ) {
    const until = await endOfRange(snapshot, after, atOnce);
    if (until === undefined) break;
    const range = { after, until };
    await compareRange(snapshot, range, await addUpLegs(snapshot, range), faults);
    after = until;
  }
  const { named, more } = faults;
  return more > 0 ? [...named, `${more} more accounts differ from their holds`] : named;
}

/** The first accounts that differ, each as a sentence, and how many more do. */
type Faults = { readonly named: string[]; more: number };

type Range = { readonly after: number; readonly until: number };

/** The highest number of the next accounts to compare; undefined when there are none. */
async function endOfRange(snapshot: Transaction<Database>, after: number, atOnce: number): Promise<number | undefined> {
  const numbers = snapshot
    .selectFrom('ledger_accounts')
    .select('account_id')
    .where('account_id', '>', after)
    .orderBy('account_id')
    .limit(atOnce);
  const { last } = await snapshot
    .selectFrom(numbers.as('some'))
    .select(({ fn }) => fn.max<number | null>('account_id').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? undefined;
}

/** Notes the accounts of a range that are not what their holds count. */
async function compareRange(
  snapshot: Transaction<Database>,
  { after, until }: Range,
  counted: ReadonlyMap<number, Quantity>,
  faults: Faults,
): Promise<void> {
  for (let behind = after; behind < until; ) {
    const accounts = await snapshot
      .selectFrom('ledger_accounts')
      .selectAll()
      .where('account_id', '>', behind)
      .where('account_id', '<=', until)
      .orderBy('account_id')
      .limit(rowsAtOnce)
      .execute();
    await mapInTurns(accounts, ({ account_id, name, count, amount, base_count, base_amount }) => {
      const legs = counted.get(account_id) ?? nothing;
      const [stored, sum] = [fromWeiText(amount), fromWeiText(base_amount) + legs.amount];
      if (count === base_count + legs.count && stored === sum) return;
      if (faults.named.length >= maxNamed) faults.more += 1;
      else
        faults.named.push(
          `account ${name}: stored ${count} and ${stored}, its holds ${base_count + legs.count} and ${sum}`,
        );
    });
    behind = accounts.at(-1)?.account_id ?? until;
  }
}

/** What all stored holds count in the accounts of a range of numbers. */
async function addUpLegs(
  snapshot: Transaction<Database>,
  { after, until }: Range,
): Promise<ReadonlyMap<number, Quantity>> {
  const sums = new Map<number, Quantity>();
  for (let hold = 0; ; ) {
    const ids = await snapshot
      .selectFrom('holds')
      .select('hold_id')
      .where('hold_id', '>', hold)
      .orderBy('hold_id')
      .limit(rowsAtOnce)
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
