import { keptUsageDays, maxTicketLifetimeSeconds, maxUsageDaysByHour } from '@tollfree/contract/limits';
import { type SqlBool, sql, type Transaction } from 'kysely';
import { limitWindows } from '../../domain/policy.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import { usageSumDimensions } from '../../ledger/usage/usage-keys.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { Store } from '../../store/store.ts';

/** Rows changed or deleted in one turn. */
const rowsAtOnce = 500;
/**
 * How long a ticket's count outlives it, in seconds: all tickets that an application issued with the same `jti` meanwhile
 * have expired by then too.
 */
const ticketCountsOutlive = maxTicketLifetimeSeconds;

/** The index's condition; the index is only used by queries with the same one. */
const isOfTicket = sql<SqlBool>`substr(subject, 1, 7) = 'ticket:'`;

/**
 * Deletes some counts of tickets that expired long ago, and records the latest of these expiries: tickets that had expired
 * by then are no longer accepted, whatever the clock says. Returns whether that was all.
 */
export function pruneTicketUsage(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const found = await findEnds(transaction, now);
    const { rows: gone } = await sql<{ paymaster_id: string; ends_at: number }>`
      DELETE FROM limit_usage WHERE (policy_key, subject, span, span_start) IN (
        SELECT policy_key, subject, span, span_start FROM limit_usage
        WHERE ${isOfTicket} AND ends_at < ${now - ticketCountsOutlive} ORDER BY ends_at LIMIT ${rowsAtOnce})
      RETURNING policy_key AS paymaster_id, ends_at`.execute(transaction);
    await writeDown(transaction, gone);
    return gone.length < rowsAtOnce && found < rowsAtOnce;
  });
}

/** For counts without a recorded expiry: no currently accepted ticket is valid for longer than this. */
async function findEnds(transaction: Transaction<Database>, now: number): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('limit_usage')
    .set({ ends_at: now + maxTicketLifetimeSeconds })
    .where(
      sql<SqlBool>`(policy_key, subject, span, span_start) IN (
        SELECT policy_key, subject, span, span_start FROM limit_usage
        WHERE ${isOfTicket} AND ends_at IS NULL LIMIT ${rowsAtOnce})`,
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

async function writeDown(
  transaction: Transaction<Database>,
  gone: readonly { readonly paymaster_id: string; readonly ends_at: number }[],
): Promise<void> {
  const ends = new Map<string, number>();
  for (const { paymaster_id, ends_at } of gone) {
    ends.set(paymaster_id, Math.max(ends.get(paymaster_id) ?? 0, ends_at));
  }
  if (ends.size === 0) return;
  await transaction
    .insertInto('forgotten_tickets')
    .values([...ends].map(([paymaster_id, ended_until]) => ({ paymaster_id, ended_until })))
    .onConflict((conflict) =>
      conflict
        .column('paymaster_id')
        .doUpdateSet(({ ref }) => ({ ended_until: ref('excluded.ended_until') }))
        .whereRef('excluded.ended_until', '>', 'forgotten_tickets.ended_until'),
    )
    .execute();
}

/** How long usage by hour is kept, in days: as long as it can be queried, plus a day. */
const keepHours = maxUsageDaysByHour + 1;

/** Deletes some sums of usage that are too old. Returns whether that was all. */
export function pruneUsage(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    let isAll = true;
    for (const dimension of usageSumDimensions) {
      const keepDays = dimension === 'hour' ? keepHours : keptUsageDays;
      const { numDeletedRows } = await transaction
        .deleteFrom('usage_sums')
        .where(
          sql<SqlBool>`(paymaster_id, dimension, day, key) IN (
            SELECT paymaster_id, dimension, day, key FROM usage_sums
            WHERE dimension = ${dimension} AND day < ${now - keepDays * secondsPerDay} LIMIT ${rowsAtOnce})`,
        )
        .executeTakeFirstOrThrow();
      isAll &&= numDeletedRows < BigInt(rowsAtOnce);
    }
    return isAll;
  });
}

/** Rows deleted in one turn. */
const upstreamRowsAtOnce = 500;
/** How long the answer of a second paymaster is kept after it expired, in seconds: its hold is closed by then. */
const outlives = 2 * secondsPerDay;

/**
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
      .limit(upstreamRowsAtOnce)
      .execute();
    const ids = dialectOf(transaction).numbers(ended.map(({ hold_id }) => hold_id));
    if (ended.length > 0) await transaction.deleteFrom('upstream_holds').where('hold_id', 'in', ids).execute();
    await transaction
      .deleteFrom('upstream_sums')
      .where('whose', '>=', 'client:')
      .where('whose', '<', 'client;')
      .where('day', '<', today)
      .execute();
    return ended.length < upstreamRowsAtOnce;
  });
}

/** How long a limit's count outlives its window, in seconds: its last holds are closed by then. */
const windowCountsOutlive = 2 * secondsPerDay;
const endingWindows = limitWindows.filter((window) => window !== 'ever');

/**
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
            WHERE span = ${span} AND span_start < ${windowStart(span, now - windowCountsOutlive)} LIMIT ${rowsAtOnce})`,
        )
        .executeTakeFirstOrThrow();
      if (numDeletedRows > deleted) deleted = numDeletedRows;
    }
    return deleted < BigInt(rowsAtOnce);
  });
}
