import type { Transaction } from 'kysely';
import { minBigint } from '../../base/values/integers.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei/wei-text.ts';

/** Removes shortfalls from tanks again, as far as something is free in them; what is removed can no longer be held. */
export async function recoverShortfalls(
  transaction: Transaction<Database>,
  chainId: number,
  now: number,
): Promise<void> {
  const tanks = await transaction
    .selectFrom('tanks')
    .select(['tank_id', 'funded', 'settled', 'held', 'shortfall'])
    .where('chain_id', '=', chainId)
    .where('shortfall', '<>', toWeiText(0n))
    .execute();
  for (const tank of tanks) {
    const funded = fromWeiText(tank.funded);
    const shortfall = fromWeiText(tank.shortfall);
    const free = funded - fromWeiText(tank.settled) - fromWeiText(tank.held);
    const amount = minBigint(free, shortfall);
    if (amount <= 0n) continue;
    await transaction
      .updateTable('tanks')
      .set({ funded: toWeiText(funded - amount), shortfall: toWeiText(shortfall - amount) })
      .where('tank_id', '=', tank.tank_id)
      .execute();
    await transaction
      .insertInto('entries')
      .values({ tank_id: tank.tank_id, kind: 'recovery', amount: toWeiText(amount), created_at: now })
      .execute();
  }
}
