import { maxUsageDaysByHour } from '@tollfree/contract/limits';
import { type SqlBool, sql } from 'kysely';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { Store } from '../../store/store.ts';

/** Rows deleted in one turn. */
const rowsAtOnce = 500;
/** How long usage by hour is kept, in seconds: as long as it can be queried, plus a day. */
const keepsSeconds = (maxUsageDaysByHour + 1) * secondsPerDay;

/** The index's condition; the index is only used by queries with the same one. */
const isHour = sql<SqlBool>`dimension = 'hour'`;

/** Deletes some hourly sums that can no longer be queried. Daily sums are kept. Returns whether that was all. */
export function pruneUsageHours(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('usage_sums')
      .where(
        sql<SqlBool>`(paymaster_id, dimension, span_days, day, key) IN (
          SELECT paymaster_id, dimension, span_days, day, key FROM usage_sums
          WHERE ${isHour} AND day < ${now - keepsSeconds} LIMIT ${rowsAtOnce})`,
      )
      .executeTakeFirstOrThrow();
    return numDeletedRows < BigInt(rowsAtOnce);
  });
}
