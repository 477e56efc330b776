import { secondsPerDay } from '../../domain/utc-days.ts';
import type { Store } from '../../store/store.ts';
import { deleteDecisions } from './delete-decisions.ts';

/** How long decisions are kept, in days, and how many of them at most. */
export type DecisionRetention = { readonly keepDays: number; readonly keepMost: number };

/** Decisions checked in one turn. */
const decisionsAtOnce = 500;

/** Where a sweep continues: after this decision; `done` when there is nothing left to prune now. */
type PruneStep = { readonly after: number; readonly done: boolean };

/**
 * Prunes some decisions that are too old, oldest first. The sums of usage keep what they came to. One whose hold is live is
 * passed over: what it will have cost is counted by what its record says.
 *
 * It ends at the first decision that is to stay, in the order of their numbers: the signatures of one hold go in order,
 * so that the last of them, which carries the cost, goes last.
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
