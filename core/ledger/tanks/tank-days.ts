import type { Transaction } from 'kysely';
import { windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiSum, fromWeiText, sumWei, toWeiText } from '../../store/wei.ts';

/**
 * What tanks paid for operations from the day of a time on (Unix seconds), in wei, by their ids. What was rolled back is taken off
 * on the day of that.
 */
export async function readSpending(
  transaction: Transaction<Database>,
  tankIds: readonly number[],
  since: number,
): Promise<ReadonlyMap<number, bigint>> {
  const rows = await transaction
    .selectFrom('tank_days')
    .select(['tank_id', 'back', sumWei('wei').as('sum')])
    .where('tank_id', 'in', dialectOf(transaction).numbers(tankIds))
    .where('day', '>=', windowStart('day', since))
    .groupBy(['tank_id', 'back'])
    .execute();
  const spent = new Map<number, bigint>();
  for (const { tank_id, back, sum } of rows) {
    spent.set(tank_id, (spent.get(tank_id) ?? 0n) + (back === 1 ? -fromWeiSum(sum) : fromWeiSum(sum)));
  }
  return spent;
}

/** What a tank paid for one operation, in wei, or how much of that is rolled back (`isBack`). */
export type Settled = {
  readonly tankId: number;
  /** Whose operation it was; undefined when no hold explains it. */
  readonly paymasterId: string | undefined;
  /** Unix seconds: when it was posted. */
  readonly postedAt: number;
  readonly isBack: boolean;
  readonly wei: bigint;
  /** What the EntryPoint took from the contract for it, in wei. */
  readonly cost: bigint;
  /** How much of the first a user paid for in a token, in wei. */
  readonly usersPaid: bigint;
  /**
   * What the first of the two was worth then, and the price of a coin, in millionths of a USD; null when no price was known.
   */
  readonly usdMicros: number | null;
  readonly usdMicrosPerCoin: number | null;
};

const weiPerCoin = 10n ** 18n;

/** Adds it to the sums of its day. */
export async function addSettled(transaction: Transaction<Database>, settled: Settled): Promise<void> {
  const [rows] = await runTogether(transaction, settledIn(dayOf(settled)));
  await runTogether(transaction, settledWrite([settled], rows));
}

type Day = { readonly tank_id: number; readonly day: number; readonly paymaster_id: string; readonly back: 0 | 1 };

/** The key of the sums of a day that it is part of. */
export function dayOf({ tankId, paymasterId = '', postedAt, isBack }: Settled): Day {
  return {
    tank_id: tankId,
    day: windowStart('day', postedAt),
    paymaster_id: paymasterId,
    back: isBack ? 1 : 0,
  };
}

/** The sums of a day, as they are stored. */
export const settledIn = fixedStatement<Day>()(({ db, value }) =>
  db
    .selectFrom('tank_days')
    .select(['wei', 'cost', 'users_paid'])
    .where('tank_id', '=', value('tank_id'))
    .where('day', '=', value('day'))
    .where('paymaster_id', '=', value('paymaster_id'))
    .where('back', '=', value('back')),
);

/** What a row of sums is of. */
export const dayKey = { tank_id: 'number', day: 'number', paymaster_id: 'text', back: 'number' } as const;

/** Its sums: amounts in wei are text, which no database adds. */
export const daySums = {
  operations: 'number',
  wei: 'text',
  cost: 'text',
  users_paid: 'text',
  priced: 'number',
  usd_micros: 'number',
  premium_usd_micros: 'number',
  users_paid_usd_micros: 'number',
} as const;

const keepSettled = insertRows(
  'tank_days',
  { ...dayKey, ...daySums },
  {
    onConflict: `(${Object.keys(dayKey).join(', ')}) DO UPDATE SET ${Object.entries(daySums)
      .map(([column, type]) => `${column} = ${type === 'text' ? '' : `tank_days.${column} + `}excluded.${column}`)
      .join(', ')}`,
  },
);

/** A statement that adds what was settled on one day to what {@link settledIn} has read of that day. */
export function settledWrite(
  settled: readonly Settled[],
  [kept]: readonly RowOf<typeof settledIn>[],
): Statement<unknown> {
  const [first] = settled;
  if (first === undefined) return keepSettled([]);
  const sums = { wei: 0n, cost: 0n, usersPaid: 0n, priced: 0, usdMicros: 0, premium: 0n, usersPaidUsd: 0n };
  for (const one of settled) {
    sums.wei += one.wei;
    sums.cost += one.cost;
    sums.usersPaid += one.usersPaid;
    sums.priced += one.usdMicros === null ? 0 : 1;
    sums.usdMicros += one.usdMicros ?? 0;
    const price = BigInt(one.usdMicrosPerCoin ?? 0);
    sums.premium += ((one.wei - one.cost) * price) / weiPerCoin;
    sums.usersPaidUsd += (one.usersPaid * price) / weiPerCoin;
  }
  const before = (text: string | undefined) => (text === undefined ? 0n : fromWeiText(text));
  return keepSettled([
    {
      ...dayOf(first),
      operations: settled.length,
      wei: toWeiText(before(kept?.wei) + sums.wei),
      cost: toWeiText(before(kept?.cost) + sums.cost),
      users_paid: toWeiText(before(kept?.users_paid) + sums.usersPaid),
      priced: sums.priced,
      usd_micros: sums.usdMicros,
      premium_usd_micros: Number(sums.premium),
      users_paid_usd_micros: Number(sums.usersPaidUsd),
    },
  ]);
}
