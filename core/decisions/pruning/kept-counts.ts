import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';

/** Decisions counted in one turn. */
const countedAtOnce = 2_000;

/** Counts some of the uncounted decisions. Returns how many counted ones are kept, and whether that was all. */
export function countKept(store: Store): Promise<{ readonly kept: number; readonly done: boolean }> {
  return store.transaction(async (transaction) => {
    const { until_number: after, decisions } = await readCounted(transaction);
    const next = transaction
      .selectFrom('decisions')
      .select(['decision_number', 'paymaster_id'])
      .where('decision_number', '>', after)
      .orderBy('decision_number')
      .limit(countedAtOnce);
    const sums = await transaction
      .selectFrom(next.as('next'))
      .innerJoin('paymasters', 'paymasters.paymaster_id', 'next.paymaster_id')
      .select(['account_id', 'next.paymaster_id'])
      .select(({ fn }) => [fn.countAll<number>().as('decisions'), fn.max('decision_number').as('last')])
      .groupBy(['account_id', 'next.paymaster_id'])
      .execute();
    const counted = await addToCounts(transaction, sums);
    const kept = decisions + counted;
    if (counted > 0) {
      await writeCounted(transaction, { until_number: Math.max(...sums.map(({ last }) => last)), decisions: kept });
    }
    return { kept, done: counted < countedAtOnce };
  });
}

/** Subtracts decisions deleted in the same transaction from the counts, as far as they were counted. */
export async function takeOffCounts(
  transaction: Transaction<Database>,
  deleted: readonly { readonly decision_number: number; readonly paymaster_id: string }[],
): Promise<void> {
  const { until_number: until, decisions } = await readCounted(transaction);
  const byPaymaster = new Map<string, number>();
  for (const { decision_number, paymaster_id } of deleted) {
    if (decision_number <= until) byPaymaster.set(paymaster_id, (byPaymaster.get(paymaster_id) ?? 0) + 1);
  }
  if (byPaymaster.size === 0) return;
  const paymasters = await transaction
    .selectFrom('paymasters')
    .select(['account_id', 'paymaster_id'])
    .where('paymaster_id', 'in', dialectOf(transaction).texts([...byPaymaster.keys()]))
    .execute();
  const rows = paymasters.map((row) => ({ ...row, decisions: -(byPaymaster.get(row.paymaster_id) ?? 0) }));
  const taken = await addToCounts(transaction, rows);
  await writeCounted(transaction, { until_number: until, decisions: decisions + taken });
}

type Change = { readonly account_id: string; readonly paymaster_id: string; readonly decisions: number };

/** Changes the counts of paymasters and of their accounts. Returns the total change. */
async function addToCounts(transaction: Transaction<Database>, changes: readonly Change[]): Promise<number> {
  const ofAccounts = new Map<string, number>();
  for (const { account_id, decisions } of changes) {
    ofAccounts.set(account_id, (ofAccounts.get(account_id) ?? 0) + decisions);
  }
  const rows = [
    ...changes.map(({ account_id, paymaster_id, decisions }) => [account_id, paymaster_id, decisions] as const),
    ...[...ofAccounts].map(([account_id, decisions]) => [account_id, '', decisions] as const),
  ];
  const columns = { account_id: 'text', paymaster_id: 'text', decisions: 'number' } as const;
  await sql`
    INSERT INTO kept_decisions (account_id, paymaster_id, decisions)
    SELECT account_id, paymaster_id, decisions FROM ${dialectOf(transaction).rows(columns, rows)} AS changed WHERE true
    ON CONFLICT (account_id, paymaster_id)
      DO UPDATE SET decisions = kept_decisions.decisions + excluded.decisions
  `.execute(transaction);
  return changes.reduce((sum, { decisions }) => sum + decisions, 0);
}

type Counted = { readonly until_number: number; readonly decisions: number };

async function readCounted(transaction: Transaction<Database>): Promise<Counted> {
  const row = await transaction
    .selectFrom('counted_decisions')
    .select(['until_number', 'decisions'])
    .where('counted', '=', 1)
    .executeTakeFirst();
  return row ?? { until_number: 0, decisions: 0 };
}

async function writeCounted(transaction: Transaction<Database>, counted: Counted): Promise<void> {
  await transaction
    .insertInto('counted_decisions')
    .values({ counted: 1, ...counted })
    .onConflict((conflict) => conflict.column('counted').doUpdateSet(counted))
    .execute();
}
