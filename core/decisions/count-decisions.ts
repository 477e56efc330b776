import { type Expression, expressionBuilder, sql, type Transaction } from 'kysely';
import { addUsage } from '../ledger/usage/add-usage.ts';
import { countCosts } from '../ledger/usage/count-cost.ts';
import type { KeyedDecision } from '../ledger/usage/usage-keys.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';

/** Decisions read for one turn: with their records, which are parsed. */
const readAtOnce = 250;

/**
 * Counts some of the uncounted decisions, in the sums of usage and as kept, and once these are counted what landed operations cost.
 * Returns how many counted decisions are kept, and whether that was all.
 */
export function countDecisions(store: Store): Promise<{ readonly kept: number; readonly done: boolean }> {
  return store.transaction(async (transaction) => {
    const counted = await readCounted(transaction);
    const uncounted = await readUncounted(transaction, counted.until_number);
    const added = await addUsage(transaction, uncounted);
    const last = uncounted[added - 1];
    if (last !== undefined) {
      counted.decisions += await addToCounts(transaction, addUp(uncounted.slice(0, added)));
      counted.until_number = last.decision_number;
    }
    const { decisions: kept, until_entry: after } = counted;
    const isAll = added === uncounted.length && added < readAtOnce;
    const costs = isAll ? await countCosts(transaction, after) : { until: after, isAll };
    if (last !== undefined || costs.until !== after) {
      await writeCounted(transaction, { ...counted, until_entry: costs.until });
    }
    return { kept, done: costs.isAll };
  });
}

/** Turns that a reader of usage waits for: of many more decisions it sees the rest with the next sweep. */
const turnsOfReader = 8;

/** Counts what has come since the last sweep, for one who reads the sums now. */
export async function countRecent(store: Store): Promise<void> {
  for (let turn = 0, done = false; turn < turnsOfReader && !done; turn += 1) {
    const uncounted = await store.db
      .selectNoFrom(({ or, exists, selectFrom }) =>
        or([
          exists(selectFrom('decisions').select('decision_number').where('decision_number', '>', lastCounted())),
          exists(selectFrom('journal').select('entry_id').where('entry_id', '>', lastEntry())),
        ]).as('any'),
      )
      .executeTakeFirstOrThrow();
    done = !uncounted.any || (await countDecisions(store)).done;
  }
}

type Uncounted = KeyedDecision & { readonly decision_number: number; readonly account_id: string | null };

/** The next decisions in order. */
function readUncounted(transaction: Transaction<Database>, after: number): Promise<readonly Uncounted[]> {
  return transaction
    .selectFrom('decisions')
    .leftJoin('paymasters', 'paymasters.paymaster_id', 'decisions.paymaster_id')
    .select(['decision_number', 'decisions.paymaster_id', 'account_id', 'decisions.created_at', 'method', 'outcome'])
    .select(['decisions.sender', 'decisions.key_number', 'token', 'record'])
    .where('decision_number', '>', after)
    .orderBy('decision_number')
    .limit(readAtOnce)
    .execute();
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

/** The number of the last entry whose cost is counted, in a query; 0 before any is. */
function lastEntry(): Expression<number> {
  const { fn, selectFrom, val } = expressionBuilder<Database>();
  return fn.coalesce(selectFrom('counted_decisions').select('until_entry'), val(0));
}

/**
 * Subtracts counted decisions deleted in the same transaction from the counts. Where they were the newest, SQLite gives their numbers
 * again.
 */
export async function takeOffCounts(
  transaction: Transaction<Database>,
  deleted: readonly { readonly paymaster_id: string }[],
): Promise<void> {
  const { until_number: counted, decisions, until_entry } = await readCounted(transaction);
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
  await writeCounted(transaction, { until_number: until, until_entry, decisions: decisions + taken });
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

type Counted = { until_number: number; until_entry: number; decisions: number };

async function readCounted(transaction: Transaction<Database>): Promise<Counted> {
  const row = await transaction
    .selectFrom('counted_decisions')
    .select(['until_number', 'until_entry', 'decisions'])
    .where('counted', '=', 1)
    .executeTakeFirst();
  return row ?? { until_number: 0, until_entry: 0, decisions: 0 };
}

async function writeCounted(transaction: Transaction<Database>, counted: Counted): Promise<void> {
  await transaction
    .insertInto('counted_decisions')
    .values({ counted: 1, ...counted })
    .onConflict((conflict) => conflict.column('counted').doUpdateSet(counted))
    .execute();
}
