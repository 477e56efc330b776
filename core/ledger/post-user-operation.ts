import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import type { UserOperationLanded } from './chain-event.ts';
import { closeHold, type LiveHold } from './close-hold.ts';
import { slotOf } from './ledger-identities.ts';
import { postMovement } from './post-movement.ts';
import { fromWeiText, toWeiText } from './wei-text.ts';

/**
 * Settles an operation that has landed: its hold is given back and what the EntryPoint took is posted in its place.
 * Other live holds of the same sender and nonce are released, since that nonce is used up. False when no hold of ours
 * explains the operation.
 */
export async function postUserOperation(
  transaction: Transaction<Database>,
  chainId: number,
  event: UserOperationLanded,
  now: number,
): Promise<boolean> {
  const holds = await transaction
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['holds.hold_id', 'holds.tank_id', 'holds.amount', 'tanks.contract'])
    .where('holds.slot', '=', slotOf(event))
    .where('holds.state', '=', 'live')
    .where('tanks.chain_id', '=', chainId)
    .where('tanks.contract', '=', event.contract)
    .orderBy('holds.hold_id', 'desc')
    .execute();
  const signed = await transaction
    .selectFrom('signatures')
    .select('hold_id')
    .where('user_operation_hash', '=', event.userOperationHash)
    .executeTakeFirst();
  // A crash between hold and signature record leaves no hash; the newest hold of the nonce is then the one.
  const landed = holds.find((hold) => hold.hold_id === signed?.hold_id) ?? holds[0];
  await postMovement(
    transaction,
    {
      chainId,
      contract: event.contract,
      kind: 'cost',
      amount: event.actualGasCost,
      tankId: landed?.tank_id ?? null,
      at: event,
    },
    now,
  );
  if (landed === undefined) return false;

  for (const hold of holds) {
    const state = hold === landed ? 'settled' : 'released';
    await closeHold(transaction, toLiveHold(hold, chainId), { state, at: event, now });
  }
  await postSettlement(transaction, landed.tank_id, landed.hold_id, event, now);
  return true;
}

function toLiveHold(
  row: { hold_id: number; tank_id: number; amount: string; contract: string },
  chainId: number,
): LiveHold {
  return {
    holdId: row.hold_id,
    tankId: row.tank_id,
    amount: fromWeiText(row.amount),
    chainId,
    contract: row.contract,
  };
}

async function postSettlement(
  transaction: Transaction<Database>,
  tankId: number,
  holdId: number,
  event: UserOperationLanded,
  now: number,
): Promise<void> {
  const tank = await transaction
    .selectFrom('tanks')
    .select('settled')
    .where('tank_id', '=', tankId)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('tanks')
    .set({ settled: toWeiText(fromWeiText(tank.settled) + event.actualGasCost) })
    .where('tank_id', '=', tankId)
    .execute();
  await transaction
    .insertInto('entries')
    .values({
      tank_id: tankId,
      kind: 'settle',
      amount: toWeiText(event.actualGasCost),
      hold_id: holdId,
      tx_hash: event.txHash,
      log_index: event.logIndex,
      created_at: now,
    })
    .execute();
}
