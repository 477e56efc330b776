import { secondsPerDay } from '../../domain/utc-days.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';

/** Rows deleted in one turn. */
const rowsAtOnce = 500;
/** How long the answer of a second paymaster is kept after it expired, in seconds: its hold is closed by then. */
const outlives = 2 * secondsPerDay;

/**
 *
 *
 * Deletes some answers of a second paymaster that are no longer returned, and clients' sums of past days. Its sums by day
 * are kept. Returns whether that was all.
 */
export function pruneUpstream(store: Store, now: number): Promise<boolean> {
  const today = now - (now % secondsPerDay);
  return store.transaction(async (transaction) => {
    const ended = await transaction
      .selectFrom('upstream_holds')
      .select('hold_id')
      .where('valid_until', '<', now - outlives)
      .limit(rowsAtOnce)
      .execute();
    const ids = dialectOf(transaction).numbers(ended.map(({ hold_id }) => hold_id));
    if (ended.length > 0) await transaction.deleteFrom('upstream_holds').where('hold_id', 'in', ids).execute();
    await transaction
      .deleteFrom('upstream_sums')
      .where('whose', '>=', 'client:')
      .where('whose', '<', 'client;')
      .where('day', '<', today)
      .execute();
    return ended.length < rowsAtOnce;
  });
}
