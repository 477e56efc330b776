import type { Transaction } from 'kysely';
import { groupBy } from '../../base/values/group-by.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { updateRows } from '../../store/statements/row-statements.ts';
import { readAllOf, runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText, toSignedWeiText, toWeiText } from '../../store/wei.ts';
import { type PostedAt, usdWhenPosted } from '../journal.ts';
import { dayOf, type Settled, settledIn, settledWrite } from './tank-days.ts';

/**
 * What the chain took from a tank for an operation, in wei. `cost` is what the EntryPoint took from the contract for it,
 * `usersPaid` how much of the amount a user paid for in a token.
 */
type Taken = {
  readonly tankId: number;
  readonly amount: bigint;
  readonly cost: bigint;
  readonly usersPaid: bigint;
  /** The owner of the hold, if one explains the operation. */
  readonly paymasterId: string | undefined;
};

/**
 * Adds what operations cost to what their tanks have settled, and to the sums of their day. It has happened, so all of it is
 * counted, even when it was more than is free because signatures that may still land hold the rest.
 */
export async function takeFromTanks(
  transaction: Transaction<Database>,
  taken: readonly Taken[],
  { now, coinPrice }: PostedAt,
): Promise<void> {
  if (taken.length === 0) return;
  const settled = taken.map((one): Settled => {
    const worth = usdWhenPosted(one.amount, coinPrice);
    return {
      tankId: one.tankId,
      paymasterId: one.paymasterId,
      postedAt: now,
      isBack: false,
      wei: one.amount,
      cost: one.cost,
      usersPaid: one.usersPaid,
      usdMicros: worth?.usd_micros ?? null,
      usdMicrosPerCoin: worth?.usd_micros_per_coin ?? null,
    };
  });
  const spent = new Map<number, bigint>();
  for (const { tankId, wei } of settled) spent.set(tankId, (spent.get(tankId) ?? 0n) + wei);
  const days = [...groupBy(settled, (one) => Object.values(dayOf(one)).join(' ')).values()];
  const [tanks, settledDays] = await readAllOf(
    transaction,
    [...spent.keys()].map((tankId) => settledBy({ tankId })),
    days.map(([first]) => settledIn(first && dayOf(first))),
  );
  await runTogether<readonly unknown[]>(
    transaction,
    changeSettled(
      tanks.flat().map(({ tank_id, settled: before }) => {
        return { tank_id, settled: toWeiText(fromWeiText(before) + (spent.get(tank_id) ?? 0n)) };
      }),
    ),
    ...days.map((some, index) => settledWrite(some, settledDays[index] ?? [])),
  );
}

const settledBy = fixedStatement<{ readonly tankId: number }>()(({ db, value }) =>
  db.selectFrom('tanks').select(['tank_id', 'settled']).where('tank_id', '=', value('tankId')),
);
const changeSettled = updateRows('tanks', { settled: 'text' }, { tank_id: 'number' });

/** Adds to what a tank was funded with, in wei; below 0 for what is taken out of it. */
export async function fundTank(transaction: Transaction<Database>, tankId: number, wei: bigint): Promise<void> {
  const { funded } = await transaction
    .selectFrom('tanks')
    .select('funded')
    .where('tank_id', '=', tankId)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('tanks')
    .set({ funded: toSignedWeiText(fromWeiText(funded) + wei) })
    .where('tank_id', '=', tankId)
    .execute();
}
