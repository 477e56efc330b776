import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

const hourSeconds = 3_600;

/** Adds what a tank paid at a moment (Unix seconds) to the hour of it, in wei; below 0 what is rolled back. */
export async function addSpending(
  transaction: Transaction<Database>,
  tankId: number,
  moment: number,
  amount: bigint,
): Promise<void> {
  const hour = hourOf(moment);
  const row = await transaction
    .selectFrom('tank_spending')
    .select('spent')
    .where('tank_id', '=', tankId)
    .where('hour', '=', hour)
    .executeTakeFirst();
  const spent = toWeiText((row === undefined ? 0n : fromWeiText(row.spent)) + amount);
  await transaction
    .insertInto('tank_spending')
    .values({ tank_id: tankId, hour, spent })
    .onConflict((conflict) => conflict.columns(['tank_id', 'hour']).doUpdateSet({ spent }))
    .execute();
}

/** What a tank paid from the hour of a moment on, in wei. */
export async function readSpending(transaction: Transaction<Database>, tankId: number, since: number): Promise<bigint> {
  const row = await transaction
    .selectFrom('tank_spending')
    .select(sumWei('spent').as('sum'))
    .where('tank_id', '=', tankId)
    .where('hour', '>=', hourOf(since))
    .executeTakeFirst();
  return fromWeiSum(row?.sum);
}

function hourOf(moment: number): number {
  return moment - (moment % hourSeconds);
}
