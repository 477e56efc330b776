import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../../../core/store/store.ts';
import { isOnPostgres } from './test-database.ts';

/**
 * How the database goes about a query, as one text. A PostgreSQL server scans a table of few rows whatever its indexes: it is
 * asked what it would do where it could not.
 */
export async function explain({ db }: Store, query: RawBuilder<unknown>): Promise<string> {
  if (!isOnPostgres) {
    const plan = await sql<{ detail: string }>`EXPLAIN QUERY PLAN ${query}`.execute(db);
    return plan.rows.map(({ detail }) => detail).join();
  }
  return db.connection().execute(async (one) => {
    await sql`SET enable_seqscan = off`.execute(one);
    await sql`SET enable_bitmapscan = off`.execute(one);
    const plan = await sql<{ 'QUERY PLAN': string }>`EXPLAIN ${query}`.execute(one);
    await sql`RESET ALL`.execute(one);
    return plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
