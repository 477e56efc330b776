import { sql, type Transaction } from 'kysely';
import type { MoneySum } from '../../domain/ledger/tank-statement.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { movesMoney } from './money-entries.ts';
import type { StatementOf } from './statement-of.ts';

const weiPerCoin = 10n ** 18n;

/**
 * What the contract took from a tank on top of what the EntryPoint took from the contract, operation by operation: the entry
 * of the tank less the movement of the deposit that the same event made. Worth the price of the entry, rounded down.
 */
export async function readPremium(
  snapshot: Transaction<Database>,
  tankId: number,
  { chainId, contract, from, until }: StatementOf,
): Promise<MoneySum> {
  const rows = await snapshot
    .selectFrom('entries')
    .leftJoin('entries as origin', 'origin.entry_id', 'entries.reverses')
    .innerJoin('movements as cost', (join) =>
      join
        .onRef('cost.tx_hash', '=', 'entries.tx_hash')
        .onRef('cost.log_index', '=', 'entries.log_index')
        .on('cost.rewind', '=', sql<number>`coalesce(origin.rewind, entries.rewind)`)
        .on('cost.chain_id', '=', chainId)
        .on('cost.contract', '=', contract)
        .on('cost.reverses', 'is', null)
        .on('cost.kind', '=', 'cost'),
    )
    .select(({ eb, fn }) => [
      'entries.usd_micros_per_coin as price',
      eb('entries.reverses', 'is not', null).as('back'),
      sumWei('entries.amount').as('charged'),
      sumWei('cost.amount').as('cost'),
      fn.countAll<number>().as('count'),
    ])
    .where('entries.tank_id', '=', tankId)
    .where(movesMoney)
    .where('entries.kind', '=', 'settle')
    .where('entries.created_at', '>=', from)
    .where('entries.created_at', '<', until)
    .groupBy(({ eb }) => ['price', eb('entries.reverses', 'is not', null)])
    .execute();
  return rows.reduce<MoneySum>(
    (sum, { price, back, charged, cost, count }) => {
      const wei = (fromWeiSum(charged) - fromWeiSum(cost)) * (back ? -1n : 1n);
      return {
        wei: sum.wei + wei,
        usdMicros: sum.usdMicros + (wei * BigInt(price ?? 0)) / weiPerCoin,
        unpriced: sum.unpriced + (price === null ? (back ? -count : count) : 0),
      };
    },
    { wei: 0n, usdMicros: 0n, unpriced: 0 },
  );
}
