import type { Transaction } from 'kysely';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';
import { takeOffCounts } from './kept-counts.ts';

/** How long decisions are kept, in days, and their maximum number. */
export type DecisionRetention = { readonly keepDays: number; readonly keepMost: number };

/** Decisions checked in one turn. */
const decisionsAtOnce = 500;

/** Where a sweep continues: after this decision; `done` when there is nothing left to prune now. */
type PruneStep = { readonly after: number; readonly done: boolean };

/**
 * Prunes some expired decisions, oldest first. The sums of usage keep their totals. A decision with a live hold is skipped:
 * its record is needed to count the cost later.
 *
 * It stops at the first decision to keep, in order of their numbers. Signatures of one hold are deleted in order, so the
 * last one, which carries the cost, is deleted last.
 */
export function pruneDecisions(
  store: Store,
  input: { readonly keepDays: number; readonly now: number; readonly after: number },
): Promise<PruneStep> {
  const { keepDays, now, after } = input;
  return store.transaction(async (transaction) => {
    const oldestKept = now - keepDays * secondsPerDay;
    const rows = await transaction
      .selectFrom('decisions')
      .leftJoin('holds', 'holds.hold_id', 'decisions.hold_id')
      .select(['decision_number', 'decisions.paymaster_id', 'decisions.created_at', 'state'])
      .where('decision_number', '>', after)
      .orderBy('decision_number')
      .limit(decisionsAtOnce)
      .execute();
    const stays = rows.findIndex((row) => row.created_at >= oldestKept);
    const reached = stays === -1 ? rows : rows.slice(0, stays);
    await deleteDecisions(transaction, reached);
    return { after: reached.at(-1)?.decision_number ?? after, done: stays !== -1 || rows.length === 0 };
  });
}

/** A decision to prune, with the state of its hold. */
type Reached = {
  readonly decision_number: number;
  readonly paymaster_id: string;
  readonly state: Database['holds']['state'] | null;
};

/** Deletes the decisions whose hold is not live. Returns how many. */
export async function deleteDecisions(
  transaction: Transaction<Database>,
  reached: readonly Reached[],
): Promise<number> {
  const deleted = reached.filter(({ state }) => state !== 'live');
  if (deleted.length === 0) return 0;
  const numbers = deleted.map(({ decision_number }) => decision_number);
  await forgetOwners(transaction, numbers);
  await transaction
    .deleteFrom('decisions')
    .where('decision_number', 'in', dialectOf(transaction).numbers(numbers))
    .execute();
  await takeOffCounts(transaction, deleted);
  return deleted.length;
}

/** The requester is stored as long as the decision; counts are kept. */
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
