import { sql, type Transaction } from 'kysely';
import type { GasTankDay } from '../../domain/ledger-report.ts';
import { dayOf, secondsPerDay, type UtcDays } from '../../domain/utc-days.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import type { TankKey } from '../holds/hold-request.ts';
import { addsMoney, movesOtherMoney, tankBalance } from './read-statement.ts';

/**
 * A tank day by day: calculated backwards from what is in it now, using what was posted since. What operations cost comes
 * from the sums per hour; an operation that was rolled back does not appear.
 */
export async function readTankDays(
  snapshot: Transaction<Database>,
  key: TankKey,
  { days, from }: UtcDays,
): Promise<readonly GasTankDay[]> {
  const tank = await snapshot
    .selectFrom('tanks')
    .select(['tank_id', 'funded', 'shortfall', 'settled'])
    .where('chain_id', '=', key.chainId)
    .where('contract', '=', key.contract)
    .where('wallet', '=', key.wallet)
    .executeTakeFirst();
  if (tank === undefined) return days.map((day) => ({ day, balance: 0n, spent: 0n }));
  const spent = await readSpent(snapshot, tank.tank_id, from);
  const added = await readAdded(snapshot, tank.tank_id, from);
  // Those after the last requested day come first.
  const changes = [...new Set([...spent.keys(), ...added.keys()])].sort().reverse();
  let balance = tankBalance(tank);
  let next = 0;
  const rows = days.toReversed().map((day) => {
    for (let later = changes[next]; later !== undefined && later > day; later = changes[next]) {
      balance += (spent.get(later) ?? 0n) - (added.get(later) ?? 0n);
      next += 1;
    }
    return { day, balance, spent: spent.get(day) ?? 0n };
  });
  return rows.reverse();
}

/** What was spent on each day, in wei. */
async function readSpent(
  snapshot: Transaction<Database>,
  tankId: number,
  from: number,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await snapshot
    .selectFrom('tank_spending')
    .select([beginningOfDay('hour').as('day'), sumWei('spent').as('sum')])
    .where('tank_id', '=', tankId)
    .where('hour', '>=', from)
    .groupBy('day')
    .execute();
  return new Map(rows.map(({ day, sum }) => [dayOf(day), fromWeiSum(sum)]));
}

/** What was added on each day in any other way, in wei; below 0 where more was taken out. */
async function readAdded(
  snapshot: Transaction<Database>,
  tankId: number,
  from: number,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await snapshot
    .selectFrom('entries')
    .select(({ eb }) => [
      beginningOfDay('created_at').as('day'),
      'kind',
      eb('reverses', 'is not', null).as('back'),
      sumWei('amount').as('sum'),
    ])
    .where('tank_id', '=', tankId)
    .where(movesOtherMoney)
    .where('created_at', '>=', from)
    .groupBy(({ eb }) => ['day', 'kind', eb('reverses', 'is not', null)])
    .execute();
  const days = new Map<string, bigint>();
  for (const { day, kind, back, sum } of rows) {
    const adds = addsMoney[kind as keyof typeof addsMoney] !== Boolean(back);
    const before = days.get(dayOf(day)) ?? 0n;
    days.set(dayOf(day), adds ? before + fromWeiSum(sum) : before - fromWeiSum(sum));
  }
  return days;
}

function beginningOfDay(column: 'hour' | 'created_at') {
  const moment = sql.ref(column);
  return sql<number>`${moment} - ${moment} % ${sql.lit(secondsPerDay)}`;
}
