import type { Store } from '../store/store.ts';

/**
 * The number up to which there are more decisions than `keepMost`; 0 when there are not. Counted only where their numbers do
 * not say so already: on PostgreSQL those of transactions that failed are missing, and so are those of records that were
 * written a second time.
 */
export function findLastTooMany(store: Store, keepMost: number): Promise<number> {
  return store.read(async (snapshot) => {
    const { oldest, newest } = await snapshot
      .selectFrom('decisions')
      .select(({ fn }) => [
        fn.min<number | null>('decision_number').as('oldest'),
        fn.max<number | null>('decision_number').as('newest'),
      ])
      .executeTakeFirstOrThrow();
    if (oldest === null || newest === null || newest - oldest < keepMost) return 0;
    const { count } = await snapshot
      .selectFrom('decisions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count <= keepMost) return 0;
    const last = await snapshot
      .selectFrom('decisions')
      .select('decision_number')
      .orderBy('decision_number')
      .offset(count - keepMost - 1)
      .limit(1)
      .executeTakeFirstOrThrow();
    return last.decision_number;
  });
}
