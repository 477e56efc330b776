import type { Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import type { TankKey } from '../holds/hold-request.ts';

/** The tank of a wallet on a paymaster contract; created empty if it does not exist yet. */
export async function openTank(
  transaction: Transaction<Database>,
  key: TankKey,
): Promise<{ readonly tank_id: number; readonly funded: string }> {
  const zero = toWeiText(0n);
  await transaction
    .insertInto('tanks')
    .values({
      chain_id: key.chainId,
      contract: key.contract,
      wallet: key.wallet,
      funded: zero,
      settled: zero,
      held: zero,
    })
    .onConflict((conflict) => conflict.columns(['chain_id', 'contract', 'wallet']).doNothing())
    .execute();
  return transaction
    .selectFrom('tanks')
    .select(['tank_id', 'funded'])
    .where('chain_id', '=', key.chainId)
    .where('contract', '=', key.contract)
    .where('wallet', '=', key.wallet)
    .executeTakeFirstOrThrow();
}
