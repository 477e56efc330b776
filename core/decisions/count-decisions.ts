import { type Expression, expressionBuilder, sql, type Transaction } from 'kysely';
import { addUsage, type UncountedDecision } from '../ledger/usage/add-usage.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';
import { fromWeiText } from '../store/wei.ts';

/** Decisions read for one turn: with their records, which are parsed. */
const readAtOnce = 250;

/**
 * Counts some of the uncounted decisions: in the sums of usage, with their costs, and as kept. Returns how many counted ones are
 * kept, and whether that was all.
 */
export function countDecisions(store: Store): Promise<{ readonly kept: number; readonly done: boolean }> {
  return store.transaction(async (transaction) => {
    const { until_number: after, decisions } = await readCounted(transaction);
    const uncounted = await readUncounted(transaction, after);
    const added = await addUsage(transaction, uncounted);
    const last = uncounted[added - 1];
    if (last === undefined) return { kept: decisions, done: true };
    const kept = decisions + (await addToCounts(transaction, addUp(uncounted.slice(0, added))));
    await writeCounted(transaction, { until_number: last.decision_number, decisions: kept });
    return { kept, done: added === uncounted.length && added < readAtOnce };
  });
}

/** Turns that a reader of usage waits for: of many more decisions it sees the rest with the next sweep. */
const turnsOfReader = 8;

/** Counts the decisions since the last sweep, for one who reads the sums now. */
export async function countRecent(store: Store): Promise<void> {
  for (let turn = 0, done = false; turn < turnsOfReader && !done; turn += 1) {
    const uncounted = await store.db
      .selectFrom('decisions')
      .select('decision_number')
      .where('decision_number', '>', lastCounted())
      .limit(1)
      .executeTakeFirst();
    done = uncounted === undefined || (await countDecisions(store)).done;
  }
}

type Uncounted = UncountedDecision & { readonly decision_number: number; readonly account_id: string | null };

/** The next decisions in order. The last signature of a hold has its cost, if it is settled. */
async function readUncounted(transaction: Transaction<Database>, after: number): Promise<readonly Uncounted[]> {
  const rows = await transaction
    .selectFrom('decisions')
    .leftJoin('paymasters', 'paymasters.paymaster_id', 'decisions.paymaster_id')
    .leftJoin('holds', 'holds.hold_id', 'decisions.hold_id')
    .select(['decision_number', 'decisions.paymaster_id', 'account_id', 'decisions.created_at', 'method', 'outcome'])
    .select(['decisions.sender', 'decisions.key_number', 'token', 'record', 'charge', 'charge_usd', 'users_paid'])
    .select(({ eb, selectFrom }) =>
      eb
        .case()
        .when('holds.state', '=', 'settled')
        .then(
          selectFrom('decisions as signature')
            .select(({ fn }) => fn.max('signature.decision_number').as('last'))
            .whereRef('signature.hold_id', '=', 'decisions.hold_id')
            .where('signature.outcome', '=', 'signed'),
        )
        .end()
        .as('last_signed'),
    )
    .where('decision_number', '>', after)
    .orderBy('decision_number')
    .limit(readAtOnce)
    .execute();
  return rows.map(({ charge, charge_usd: usdMicros, users_paid: paid, last_signed: last, ...row }) => {
    const usersPaid = paid === null ? 0n : fromWeiText(paid);
    const hasCost = last === row.decision_number && charge !== null;
    return { ...row, cost: hasCost ? { charge: fromWeiText(charge), usersPaid, usdMicros } : undefined };
  });
}

/** How many decisions each paymaster has among these. */
function addUp(decisions: readonly Uncounted[]): readonly Change[] {
  const changes = new Map<string, Change>();
  for (const { account_id, paymaster_id } of decisions) {
    if (account_id === null) continue;
    const known = changes.get(paymaster_id)?.decisions ?? 0;
    changes.set(paymaster_id, { account_id, paymaster_id, decisions: known + 1 });
  }
  return [...changes.values()];
}

/** The number of the last counted decision, in a query; 0 before any is. */
export function lastCounted(): Expression<number> {
  const { fn, selectFrom, val } = expressionBuilder<Database>();
  return fn.coalesce(selectFrom('counted_decisions').select('until_number'), val(0));
}

/**
 * Subtracts counted decisions deleted in the same transaction from the counts. Where they were the newest, SQLite gives their numbers
 * again.
 */
export async function takeOffCounts(
  transaction: Transaction<Database>,
  deleted: readonly { readonly paymaster_id: string }[],
): Promise<void> {
  const { until_number: counted, decisions } = await readCounted(transaction);
  const { newest } = await transaction
    .selectFrom('decisions')
    .select(({ fn }) => fn.max<number | null>('decision_number').as('newest'))
    .executeTakeFirstOrThrow();
  const until = Math.min(counted, newest ?? 0);
  const byPaymaster = new Map<string, number>();
  for (const { paymaster_id } of deleted) byPaymaster.set(paymaster_id, (byPaymaster.get(paymaster_id) ?? 0) + 1);
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
