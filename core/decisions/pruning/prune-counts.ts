import { keptUsageDays, maxUsageDaysByHour } from '@tollfree/contract/limits';
import { type SqlBool, sql, type Transaction } from 'kysely';
import { usageSumDimensions } from '../../domain/usage.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import { limitPrefix, limitPrefixEnd, ticketOutlives, ticketPrefix } from '../../ledger/accounts/limit-accounts.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';

/** Rows changed or deleted in one turn. */
const rowsAtOnce = 500;

/**
 * Deletes some accounts of windows and tickets that ended long ago. Of tickets it records the latest of their ends: those that had
 * ended by then are no longer accepted, whatever the clock says. Returns whether that was all.
 */
export function pruneAccounts(store: Store, now: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const { rows: gone } = await sql<{ name: string; kept_until: number }>`
      DELETE FROM ledger_accounts WHERE account_id IN (
        SELECT account_id FROM ledger_accounts WHERE kept_until < ${now} ORDER BY kept_until LIMIT ${rowsAtOnce})
      RETURNING name, kept_until`.execute(transaction);
    const tickets = gone.flatMap(({ name, kept_until }) => {
      const [kind, paymaster_id = ''] = name.split('/');
      return `${kind}/` === ticketPrefix ? [{ paymaster_id, ends_at: kept_until - ticketOutlives }] : [];
    });
    await writeDown(transaction, tickets);
    return gone.length < rowsAtOnce;
  });
}

/** Deletes some accounts of limits and budgets that are gone. Returns whether that was all. */
export function pruneEndedLimits(store: Store): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const ended = await transaction.selectFrom('ended_limits').select('limit_id').limit(1).executeTakeFirst();
    if (ended === undefined) return true;
    const [from, until] = [limitPrefix(ended.limit_id), limitPrefixEnd(ended.limit_id)];
    const { numDeletedRows } = await transaction
      .deleteFrom('ledger_accounts')
      .where(
        sql<SqlBool>`account_id IN (
          SELECT account_id FROM ledger_accounts WHERE name >= ${from} AND name < ${until} LIMIT ${rowsAtOnce})`,
      )
      .executeTakeFirstOrThrow();
    if (numDeletedRows < BigInt(rowsAtOnce)) {
      await transaction.deleteFrom('ended_limits').where('limit_id', '=', ended.limit_id).execute();
    }
    return false;
  });
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
