import { sql } from 'kysely';
import { limitWindows } from '../../domain/policy.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Store } from '../../store/store.ts';

/** Rows checked or deleted in one turn. */
const rowsAtOnce = 500;
/** How long a limit's count outlives its window, in seconds: its last holds are closed by then. */
const countsOutlive = 2 * secondsPerDay;
const endingWindows = limitWindows.filter((window) => window !== 'ever');

/**
 *
 *
 * Deletes some counts of limits whose window ended two days ago. They are counted again from the holds on demand. Returns
 * whether that was all.
 */
export function pruneLimitUsage(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    let deleted = 0n;
    for (const span of endingWindows) {
      const { numDeletedRows } = await transaction
        .deleteFrom('limit_usage')
        .where(
          sql<boolean>`(policy_key, subject, span, span_start) IN (
            SELECT policy_key, subject, span, span_start FROM limit_usage
            WHERE span = ${span} AND span_start < ${windowStart(span, now - countsOutlive)} LIMIT ${rowsAtOnce})`,
        )
        .executeTakeFirstOrThrow();
      if (numDeletedRows > deleted) deleted = numDeletedRows;
    }
    return deleted < BigInt(rowsAtOnce);
  });
}
