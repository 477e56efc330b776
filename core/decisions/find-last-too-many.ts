import type { Store } from '../store/store.ts';

/**
 * The number up to which there are more decisions than `keepMost`; 0 when there are not. Counted only where their numbers do
 * not say so already: on PostgreSQL those of transactions that failed are missing, and so are those of records that were
 * written a second time.
 */
export function findLastTooMany(store: Store, keepMost: number): Promise<number> {
  return store.read(async (snapshot) => {
    const numbers = snapshot.selectFrom('decisions');
    // One by one: SQLite looks at all rows for both at once.
    const oldest = await numbers
      .select(({ fn }) => fn.min<number | null>('decision_number').as('of'))
      .executeTakeFirst();
    const newest = await numbers
      .select(({ fn }) => fn.max<number | null>('decision_number').as('of'))
      .executeTakeFirst();
    const span = (newest?.of ?? 0) - (oldest?.of ?? 0);
    if (span < keepMost) return 0;
    const last = await numbers
      .select('decision_number')
      .orderBy('decision_number', 'desc')
      .offset(keepMost)
      .limit(1)
      .executeTakeFirst();
    return last?.decision_number ?? 0;
  });
}
