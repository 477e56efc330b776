import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import type { ChainEvent } from './chain-event.ts';
import { fromWeiText, toWeiText } from './wei-text.ts';

type Deposit = Extract<ChainEvent, { kind: 'deposit' }>;

/** Credits the tank of the wallet that made the deposit; the first deposit makes the tank. */
export async function postDeposit(
  transaction: Transaction<Database>,
  chainId: number,
  event: Deposit,
  now: number,
): Promise<void> {
  const zero = toWeiText(0n);
  await transaction
    .insertInto('tanks')
    .values({
      chain_id: chainId,
      contract: event.contract,
      wallet: event.wallet,
      funded: zero,
      settled: zero,
      held: zero,
    })
    .onConflict((conflict) => conflict.columns(['chain_id', 'contract', 'wallet']).doNothing())
    .execute();
  const tank = await transaction
    .selectFrom('tanks')
    .select(['tank_id', 'funded'])
    .where('chain_id', '=', chainId)
    .where('contract', '=', event.contract)
    .where('wallet', '=', event.wallet)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('tanks')
    .set({ funded: toWeiText(fromWeiText(tank.funded) + event.amount) })
    .where('tank_id', '=', tank.tank_id)
    .execute();
  await transaction
    .insertInto('entries')
    .values({
      tank_id: tank.tank_id,
      kind: 'deposit',
      amount: toWeiText(event.amount),
      hold_id: null,
      tx_hash: event.txHash,
      log_index: event.logIndex,
      created_at: now,
    })
    .execute();
}
