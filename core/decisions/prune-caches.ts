import { sql } from 'kysely';
import type { LimitWindow } from '../domain/policy.ts';
import { windowStart } from '../policies/limit-window.ts';
import type { Store } from '../store/store.ts';
import { secondsPerDay } from './usage-counts.ts';

/** Rows looked at or deleted in one turn. */
const rowsAtOnce = 500;
/** How long a limit's count outlives its window, in seconds: its last holds are closed by then. */
const countsOutlive = 2 * secondsPerDay;
const endingWindows: readonly LimitWindow[] = ['hour', 'day', 'week', 'month'];

/**
 * Deletes some counts of limits whose window has ended two days ago. They are counted anew from the holds if anybody
 * asks. Answers whether that was all.
 */
export function pruneLimitUsage(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    let deleted = 0n;
    for (const span of endingWindows) {
      const { numDeletedRows } = await transaction
        .deleteFrom('limit_usage')
        .where(
          sql<boolean>`(paymaster_id, subject, span, span_start) IN (
            SELECT paymaster_id, subject, span, span_start FROM limit_usage
            WHERE span = ${span} AND span_start < ${windowStart(span, now - countsOutlive)} LIMIT ${rowsAtOnce})`,
        )
        .executeTakeFirstOrThrow();
      if (numDeletedRows > deleted) deleted = numDeletedRows;
    }
    return deleted < BigInt(rowsAtOnce);
  });
}

/**
 * Deletes those of the next grants whose hold is no longer live: nothing is answered with them. Answers where to go on,
 * nowhere when that was all.
 */
export function pruneGrants(store: Store, after: string): Promise<string | undefined> {
  return store.transaction(async (transaction) => {
    const keys = await transaction
      .selectFrom('grants')
      .select('request_key')
      .where('request_key', '>', after)
      .orderBy('request_key')
      .limit(rowsAtOnce)
      .execute();
    const last = keys.at(-1);
    if (last === undefined) return undefined;
    await transaction
      .deleteFrom('grants')
      .where('request_key', '>', after)
      .where('request_key', '<=', last.request_key)
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('holds')
              .select('holds.hold_id')
              .whereRef('holds.hold_id', '=', 'grants.hold_id')
              .where('holds.state', '=', 'live'),
          ),
        ),
      )
      .execute();
    return last.request_key;
  });
}
