import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/**
 * A tank's sums while several entries are rolled back, and what its holds are going to hold again; wei. `funded` may be below what is
 * needed until it is kept.
 */
export type TankDraft = {
  readonly tankId: number;
  readonly held: bigint;
  funded: bigint;
  settled: bigint;
  shortfall: bigint;
  heldAgain: bigint;
};

export async function readTankDraft(transaction: Transaction<Database>, tankId: number): Promise<TankDraft> {
  const row = await transaction
    .selectFrom('tanks')
    .select(['funded', 'settled', 'held', 'shortfall'])
    .where('tank_id', '=', tankId)
    .executeTakeFirstOrThrow();
  return {
    tankId,
    held: fromWeiText(row.held),
    heldAgain: 0n,
    funded: fromWeiText(row.funded),
    settled: fromWeiText(row.settled),
    shortfall: fromWeiText(row.shortfall),
  };
}

/** Writes the sums except for what is held. What is missing for what is settled and held goes into the tank in name only (see `takeFromTank`). */
export async function keepTankDraft(
  transaction: Transaction<Database>,
  { tankId, funded, settled, held, shortfall, heldAgain }: TankDraft,
  now: number,
): Promise<void> {
  const needed = settled + held + heldAgain;
  const missing = needed > funded ? needed - funded : 0n;
  await transaction
    .updateTable('tanks')
    .set({
      funded: toWeiText(funded + missing),
      settled: toWeiText(settled),
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
