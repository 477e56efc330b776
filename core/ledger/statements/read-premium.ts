import type { Transaction } from 'kysely';
import type { MoneySum } from '../../domain/ledger/tank-statement.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import type { StatementOf } from './statement-of.ts';

/**
 * What the contract took from a tank on top of what the EntryPoint took from the contract, from the sums stored per day. The
 * worth of each operation's part uses the price of its entry, rounded towards zero.
 */
export async function readPremium(
  snapshot: Transaction<Database>,
  tankId: number,
  { from, until }: Pick<StatementOf, 'from' | 'until'>,
): Promise<MoneySum> {
  const rows = await snapshot
    .selectFrom('settled_days')
    .select(({ fn }) => [
      'back',
      sumWei('wei').as('charged'),
      sumWei('cost').as('cost'),
      fn.sum<number>('premium_usd_micros').as('worth'),
      fn.sum<number>('operations').as('count'),
      fn.sum<number>('priced').as('priced'),
    ])
    .where('tank_id', '=', tankId)
    .where('day', '>=', from)
    .where('day', '<', until)
    .groupBy('back')
    .execute();
  return rows.reduce<MoneySum>(
    (sum, { back, charged, cost, worth, count, priced }) => {
      const sign = back === 1 ? -1 : 1;
      return {
        wei: sum.wei + BigInt(sign) * (fromWeiSum(charged) - fromWeiSum(cost)),
        usdMicros: sum.usdMicros + BigInt(sign * worth),
        unpriced: sum.unpriced + sign * (count - priced),
      };
    },
    { wei: 0n, usdMicros: 0n, unpriced: 0 },
  );
}
