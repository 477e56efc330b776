import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/** A tank's sums while several entries are rolled back, in wei. `funded` may be below what is needed until it is stored. */
export type TankDraft = { readonly tankId: number; funded: bigint; settled: bigint; held: bigint; shortfall: bigint };

export async function readTankDraft(transaction: Transaction<Database>, tankId: number): Promise<TankDraft> {
  const row = await transaction
    .selectFrom('tanks')
    .select(['funded', 'settled', 'held', 'shortfall'])
    .where('tank_id', '=', tankId)
    .executeTakeFirstOrThrow();
  return {
    tankId,
    funded: fromWeiText(row.funded),
    settled: fromWeiText(row.settled),
    held: fromWeiText(row.held),
    shortfall: fromWeiText(row.shortfall),
  };
}

/** Writes the sums. What is missing for what is settled and held is added to the tank nominally (see `takeFromTank`). */
export async function keepTankDraft(
  transaction: Transaction<Database>,
  { tankId, funded, settled, held, shortfall }: TankDraft,
  now: number,
): Promise<void> {
  const needed = settled + held;
  const missing = needed > funded ? needed - funded : 0n;
  await transaction
    .updateTable('tanks')
    .set({
      funded: toWeiText(funded + missing),
      settled: toWeiText(settled),
      held: toWeiText(held),
      shortfall: toWeiText(shortfall + missing),
    })
    .where('tank_id', '=', tankId)
    .execute();
  if (missing === 0n) return;
  await transaction
    .insertInto('entries')
    .values({ tank_id: tankId, kind: 'shortfall', amount: toWeiText(missing), created_at: now })
    .execute();
}
