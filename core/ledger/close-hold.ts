import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import type { EventPlace } from './chain-event.ts';
import { fromWeiText, toWeiText } from './wei-text.ts';

export type LiveHold = {
  readonly holdId: number;
  readonly tankId: number;
  readonly amount: bigint;
  readonly chainId: number;
  readonly contract: string;
};

/** Ends a live hold and gives its whole amount back to tank and contract. `at` is the event that ended it, if one did. */
export async function closeHold(
  transaction: Transaction<Database>,
  hold: LiveHold,
  end: { readonly state: 'settled' | 'released'; readonly at?: Omit<EventPlace, 'blockNumber'>; readonly now: number },
): Promise<void> {
  await transaction.updateTable('holds').set({ state: end.state }).where('hold_id', '=', hold.holdId).execute();
  const tank = await transaction
    .selectFrom('tanks')
    .select('held')
    .where('tank_id', '=', hold.tankId)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('tanks')
    .set({ held: toWeiText(fromWeiText(tank.held) - hold.amount) })
    .where('tank_id', '=', hold.tankId)
    .execute();
  const total = await transaction
    .selectFrom('contract_totals')
    .select('held')
    .where('chain_id', '=', hold.chainId)
    .where('contract', '=', hold.contract)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('contract_totals')
    .set({ held: toWeiText(fromWeiText(total.held) - hold.amount) })
    .where('chain_id', '=', hold.chainId)
    .where('contract', '=', hold.contract)
    .execute();
  await transaction
    .insertInto('entries')
    .values({
      tank_id: hold.tankId,
      kind: 'release',
      amount: toWeiText(hold.amount),
      hold_id: hold.holdId,
      tx_hash: end.at?.txHash ?? null,
      log_index: end.at?.logIndex ?? null,
      created_at: end.now,
    })
    .execute();
}
