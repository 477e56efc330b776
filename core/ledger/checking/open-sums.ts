import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei, sumWeiText } from '../../store/wei/sum-wei.ts';

export type OpenAtTank = {
  /** The sum of its live holds, in wei. */
  readonly liveHolds: bigint;
  /** How many senders and clients have a stored sum of open holds that differs from the sum of their live holds. */
  readonly differing: number;
};

export type OpenSums = { of(tankId: number): OpenAtTank };

/**
 * Adds up what is open at all tanks: one read is enough for the ledgers of many contracts. The database compares, since each
 * live hold can have another sender and client.
 */
export async function readOpenSums(transaction: Transaction<Database>): Promise<OpenSums> {
  const liveHolds = await sumLiveHolds(transaction);
  const differing = await countDiffering(transaction);
  return { of: (tankId) => ({ liveHolds: liveHolds.get(tankId) ?? 0n, differing: differing.get(tankId) ?? 0 }) };
}

async function sumLiveHolds(transaction: Transaction<Database>): Promise<ReadonlyMap<number, bigint>> {
  const rows = await transaction
    .selectFrom('holds')
    .select(['tank_id', sumWei('amount').as('sum')])
    // A literal, or the index of these holds is not used.
    .where('state', '=', sql.lit('live'))
    .groupBy('tank_id')
    .execute();
  return new Map(rows.map(({ tank_id, sum }) => [tank_id, fromWeiSum(sum)]));
}

async function countDiffering(transaction: Transaction<Database>): Promise<ReadonlyMap<number, number>> {
  const sums = sql`count(*) AS count, ${sumWeiText('amount')} AS amount`;
  const rows = await transaction
    .selectFrom(
      sql<{ tank_id: number; whose: string }>`(
        WITH kept AS (SELECT tank_id, whose, count, amount FROM open_holds),
          added AS (
            SELECT tank_id, sender || ':' || coalesce(client, '') AS whose, ${sums}
              FROM holds WHERE state = 'live' GROUP BY 1, 2
            UNION ALL SELECT tank_id, 'lasts-long:' || tank_id, ${sums}
              FROM holds WHERE state = 'live' AND lasts_long = 1 GROUP BY tank_id
            UNION ALL SELECT tank_id, client, ${sums}
              FROM holds WHERE state = 'live' AND client IS NOT NULL GROUP BY tank_id, client
          )
        SELECT tank_id, whose FROM (SELECT * FROM kept UNION ALL SELECT * FROM added) AS both_sides
          GROUP BY tank_id, whose HAVING count(*) <> 2 OR min(count) <> max(count) OR min(amount) <> max(amount)
      )`.as('differing'),
    )
    .select(({ fn }) => ['tank_id', fn.countAll<number>().as('count')])
    .groupBy('tank_id')
    .execute();
  return new Map(rows.map(({ tank_id, count }) => [tank_id, count]));
}
