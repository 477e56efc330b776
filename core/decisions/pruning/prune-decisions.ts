import { secondsPerDay } from '../../domain/utc-days.ts';
import type { Store } from '../../store/store.ts';
import { deleteDecisions } from './delete-decisions.ts';

/** How long decisions are kept, in days, and their maximum number. */
export type DecisionRetention = { readonly keepDays: number; readonly keepMost: number };

/** Decisions checked in one turn. */
const decisionsAtOnce = 500;

/** Where a sweep continues: after this decision; `done` when there is nothing left to prune now. */
type PruneStep = { readonly after: number; readonly done: boolean };

/**
 *
 *
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
