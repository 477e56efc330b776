import type { Transaction } from 'kysely';
import { secondsPerDay } from '../domain/time/utc-days.ts';
import type { Database } from '../store/database.ts';
import { dialectOf } from '../store/dialect-of.ts';
import type { Store } from '../store/store.ts';

/** How long decisions are kept, in days, and how many of them at most. */
export type DecisionRetention = { readonly keepDays: number; readonly keepMost: number };

/** Decisions checked in one turn. */
const decisionsAtOnce = 500;

/** Where a sweep continues: after this decision; `done` when there is nothing left to prune now. */
export type PruneStep = { readonly after: number; readonly done: boolean };

/**
 * Prunes some decisions, oldest first: those that are too old or too many. The sums of usage keep what they came to. One whose
 * hold is live is passed over: what it will have cost is counted by what its record says.
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
    const rows = await transaction
      .selectFrom('decisions')
      .leftJoin('holds', 'holds.hold_id', 'decisions.hold_id')
      .select(['decision_number', 'decisions.created_at', 'state'])
      .where('decision_number', '>', after)
      .orderBy('decision_number')
      .limit(decisionsAtOnce)
      .execute();
    const stays = rows.findIndex((row) => row.decision_number > lastTooMany && row.created_at >= oldestKept);
    const reached = stays === -1 ? rows : rows.slice(0, stays);
    const pruned = reached.filter(({ state }) => state !== 'live').map(({ decision_number }) => decision_number);
    if (pruned.length > 0) {
      await forgetOwners(transaction, pruned);
      await transaction
        .deleteFrom('decisions')
        .where('decision_number', 'in', dialectOf(transaction).numbers(pruned))
        .execute();
    }
    return { after: reached.at(-1)?.decision_number ?? after, done: stays !== -1 || rows.length === 0 };
  });
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
