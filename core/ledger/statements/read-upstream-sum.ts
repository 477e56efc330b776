import { sql, type Transaction } from 'kysely';
import type { UpstreamSum } from '../../domain/ledger/tank-statement.ts';
import type { Database } from '../../store/database.ts';
import type { StatementOf } from './statement-of.ts';

/** What another paymaster sponsored for this one in a stretch of whole days; undefined for nothing. */
export async function readUpstreamSum(
  snapshot: Transaction<Database>,
  { chainId, paymasterId, from, until }: Pick<StatementOf, 'chainId' | 'paymasterId' | 'from' | 'until'>,
): Promise<UpstreamSum | undefined> {
  const row = await snapshot
    .selectFrom('upstream_sums')
    .select(({ fn }) => [
      fn.coalesce(fn.sum<number>('operations'), sql<number>`0`).as('operations'),
      sql<string>`CAST(coalesce(sum(usd_micros), 0) AS TEXT)`.as('usd'),
    ])
    .where('chain_id', '=', chainId)
    .where('whose', '=', paymasterId)
    .where('day', '>=', from)
    .where('day', '<', until)
    .executeTakeFirstOrThrow();
  const operations = Number(row.operations);
  return operations === 0 ? undefined : { operations, worstCaseUsdMicros: BigInt(row.usd) };
}
