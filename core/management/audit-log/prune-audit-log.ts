import type { Store } from '../../store/store.ts';

/** Most entries deleted in one turn. */
const rowsAtOnce = 500;

/**
 * Deletes some entries from before a time (Unix seconds), and returns whether that was all. The row that permits this exists
 * only in this transaction.
 */
export function pruneAuditLog(store: Store, before: number): Promise<boolean> {
  return store.transaction(async (trx) => {
    const old = await trx
      .selectFrom('audit_log')
      .select('entry_number')
      .where('changed_at', '<', before)
      .limit(rowsAtOnce)
      .execute();
    if (old.length === 0) return true;
    await trx.insertInto('audit_log_pruning').values({ pruning: 1, ends_before: before }).execute();
    const numbers = old.map(({ entry_number }) => entry_number);
    await trx.deleteFrom('audit_log').where('entry_number', 'in', numbers).execute();
    await trx.deleteFrom('audit_log_pruning').execute();
    return old.length < rowsAtOnce;
  });
}
