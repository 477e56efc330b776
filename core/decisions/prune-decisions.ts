import { sql, type Transaction } from 'kysely';
import { dayOf, secondsPerDay } from '../domain/time/utc-days.ts';
import { type UsageDimension, usageDimensions } from '../domain/usage.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';
import { fromWeiText, toWeiText } from '../store/wei/wei-text.ts';
import { type CountedDecision, countedDecisions } from './counted-decisions.ts';
import { addDecision, type UsageCounts, usageKeys } from './usage-counts.ts';

/** How long decisions are kept, in days, and how many of them at most. */
export type DecisionRetention = { readonly keepDays: number; readonly keepMost: number };

/** Decisions checked in one turn. */
const decisionsAtOnce = 500;
/** Totals that one turn begins to change; the decision that reaches it is the turn's last. */
const totalsAtOnce = 500;

/** Where a sweep continues: after this decision; `done` when there is nothing left to prune now. */
export type PruneStep = { readonly after: number; readonly done: boolean };

/**
 * Prunes some decisions, oldest first: those that are too old or too many. What they came to is added to the totals in
 * the same transaction. One whose hold is live is passed over, since its cost is not known yet.
 *
 * It ends at the first decision that is to stay, in the order of their numbers: the signatures of one hold go in order,
 * so that the last of them, which carries the cost, goes last.
 */
export function pruneDecisions(
  store: Store,
  input: {
    readonly keepDays: number;
    /** The number up to which there are too many. */
    readonly lastTooMany: number;
    readonly now: number;
    readonly after: number;
  },
): Promise<PruneStep> {
  const { keepDays, lastTooMany, now, after } = input;
  return store.transaction(async (transaction) => {
    const oldestKept = now - keepDays * secondsPerDay;
    const rows = await countedDecisions(transaction, Number.MAX_SAFE_INTEGER)
      .where('decision.decision_number', '>', after)
      .orderBy('decision.decision_number')
      .limit(decisionsAtOnce)
      .execute();
    const totals = new Map<string, UsageCounts>();
    const pruned: number[] = [];
    let reached = after;
    let stays = false;
    for (const row of rows) {
      stays = row.decision_number > lastTooMany && row.created_at >= oldestKept;
      if (stays || totals.size >= totalsAtOnce) break;
      reached = row.decision_number;
      if (row.state === 'live') continue;
      addToTotals(totals, row);
      pruned.push(row.decision_number);
    }
    if (pruned.length > 0) {
      await writeTotals(transaction, totals);
      await forgetOwners(transaction, pruned);
      await deleteDecisions(transaction, pruned);
    }
    return { after: reached, done: stays || rows.length === 0 };
  });
}

function addToTotals(totals: Map<string, UsageCounts>, row: CountedDecision): void {
  for (const dimension of usageDimensions) {
    for (const key of usageKeys(dimension, row)) {
      addDecision(totals, JSON.stringify([row.paymaster_id, dimension, dayOf(row.created_at), key]), row);
    }
  }
}

async function writeTotals(transaction: Transaction<Database>, totals: Map<string, UsageCounts>): Promise<void> {
  for (const [identity, { held: _, charge, ...counts }] of totals) {
    // Written by the function above.
    const [paymaster_id, dimension, day, key] = JSON.parse(identity) as [string, UsageDimension, string, string];
    const known = await transaction
      .selectFrom('usage_totals')
      .select('charge')
      .where('paymaster_id', '=', paymaster_id)
      .where('dimension', '=', dimension)
      .where('day', '=', day)
      .where('key', '=', key)
      .executeTakeFirst();
    const spent = toWeiText(charge + (known === undefined ? 0n : fromWeiText(known.charge)));
    await transaction
      .insertInto('usage_totals')
      .values({ paymaster_id, dimension, day, key, ...counts, charge: spent })
      .onConflict((conflict) =>
        conflict.columns(['paymaster_id', 'dimension', 'day', 'key']).doUpdateSet(({ ref }) => ({
          signed: sql`${ref('usage_totals.signed')} + ${ref('excluded.signed')}`,
          quoted: sql`${ref('usage_totals.quoted')} + ${ref('excluded.quoted')}`,
          stub: sql`${ref('usage_totals.stub')} + ${ref('excluded.stub')}`,
          refused: sql`${ref('usage_totals.refused')} + ${ref('excluded.refused')}`,
          landed: sql`${ref('usage_totals.landed')} + ${ref('excluded.landed')}`,
          charge: spent,
          priced: sql`${ref('usage_totals.priced')} + ${ref('excluded.priced')}`,
          charge_usd: sql`${ref('usage_totals.charge_usd')} + ${ref('excluded.charge_usd')}`,
        })),
      )
      .execute();
  }
}

/** Who asked is known as long as the decision is; what has been counted for it stays. */
async function forgetOwners(transaction: Transaction<Database>, numbers: readonly number[]): Promise<void> {
  await transaction
    .updateTable('holds')
    .set({ subject: null, ticket: null })
    .where('hold_id', 'in', ({ selectFrom }) =>
      selectFrom('decisions')
        .select(({ ref }) => ref('hold_id').$notNull().as('hold_id'))
        .where('decision_number', 'in', dialectOf(transaction).numbers(numbers))
        .where('hold_id', 'is not', null),
    )
    .where('subject', 'is not', null)
    .execute();
}

async function deleteDecisions(transaction: Transaction<Database>, numbers: readonly number[]): Promise<void> {
  await transaction
    .deleteFrom('decisions')
    .where('decision_number', 'in', dialectOf(transaction).numbers(numbers))
    .execute();
}
