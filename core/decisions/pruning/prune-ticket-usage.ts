import { maxTicketLifetimeSeconds } from '@tollfree/contract/limits';
import { type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';

/** Rows changed or deleted in one turn. */
const rowsAtOnce = 500;
/**
 *
 *
 * How long a ticket's count outlives it, in seconds: all tickets that an application issued with the same `jti` meanwhile
 * have expired by then too.
 */
const countsOutlive = maxTicketLifetimeSeconds;

/** The index's condition; the index is only used by queries with the same one. */
const isOfTicket = sql<SqlBool>`substr(subject, 1, 7) = 'ticket:'`;

/**
 *
 *
 * Deletes some counts of tickets that expired long ago, and records the latest of these expiries: tickets that had expired
 * by then are no longer accepted, whatever the clock says. Returns whether that was all.
 */
export function pruneTicketUsage(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const found = await findEnds(transaction, now);
    const { rows: gone } = await sql<{ paymaster_id: string; ends_at: number }>`
      DELETE FROM limit_usage WHERE (policy_key, subject, span, span_start) IN (
        SELECT policy_key, subject, span, span_start FROM limit_usage
        WHERE ${isOfTicket} AND ends_at < ${now - countsOutlive} ORDER BY ends_at LIMIT ${rowsAtOnce})
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
