import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import type { AddedEntries } from './entry-sums.ts';

/** The highest numbers of rows that were archived. */
export async function readArchivedUntil(
  snapshot: Transaction<Database>,
): Promise<{ readonly entries: number; readonly movements: number }> {
  const row = await snapshot
    .selectFrom('ledger_archive')
    .select(['entries_until', 'movements_until'])
    .executeTakeFirst();
  return { entries: row?.entries_until ?? 0, movements: row?.movements_until ?? 0 };
}

/** The sums of each tank's archived entries, by kind. */
export async function readArchivedEntries(
  snapshot: Transaction<Database>,
): Promise<readonly (AddedEntries & { readonly tankId: number })[]> {
  const rows = await snapshot
    .selectFrom('archived_entries')
    .select(({ fn }) => [
      'tank_id',
      'kind',
      sumWei('amount').as('sum'),
      fn.sum<number>('entries').as('count'),
      fn.sum<number>('priced').as('priced'),
      sql<string>`CAST(sum(usd_micros) AS TEXT)`.as('usd_micros'),
    ])
    .groupBy(['tank_id', 'kind'])
    .execute();
  return rows.map(({ tank_id: tankId, kind, sum, count, priced, usd_micros }) => ({
    ...{ tankId, kind, isRemote: kind === 'settle', wei: fromWeiSum(sum) },
    ...{ count: Number(count), priced: Number(priced), usdMicros: BigInt(usd_micros) },
  }));
}

/** The sums of archived costs, by contract and tank; without a tank where none explains them. */
export async function readArchivedMovements(
  snapshot: Transaction<Database>,
): Promise<readonly { readonly location: string; readonly tankId: number | undefined; readonly wei: bigint }[]> {
  const rows = await snapshot
    .selectFrom('archived_movements')
    .select(['chain_id', 'contract', 'tank_id', sumWei('amount').as('sum')])
    .groupBy(['chain_id', 'contract', 'tank_id'])
    .execute();
  return rows.map(({ chain_id, contract, tank_id, sum }) => ({
    location: `${chain_id} ${contract}`,
    tankId: tank_id === 0 ? undefined : tank_id,
    wei: fromWeiSum(sum),
  }));
}
