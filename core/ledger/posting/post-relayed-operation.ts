import type { Transaction } from 'kysely';
import { minBigint } from '../../base/values/integers.ts';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText } from '../../store/wei.ts';
import { type Posting, postMovement } from './post-movement.ts';
import { findHolds, settleOperation } from './settle-operation.ts';

/**
 * Settles a relayed operation: the tank that accepted its bytes pays, found by their hash or name, no more than was held. It
 * also pays when the hold was released before. The operator bears any excess, and an operation that no tank accepted: its
 * nonce ends the other holds, which pay nothing.
 */
export async function postRelayedOperation(
  transaction: Transaction<Database>,
  chainId: number,
  event: UserOperationLanded,
  posting: Posting,
): Promise<boolean> {
  const { actualGasCost } = event;
  const { landed, holds } = await findHolds(transaction, chainId, event);
  const released = landed === undefined ? await findReleased(transaction, chainId, event) : undefined;
  const payer = landed ?? released;
  const tankId = payer?.tankId ?? null;
  const charge = payer === undefined ? actualGasCost : minBigint(actualGasCost, payer.amount);
  await postMovement(transaction, { kind: 'cost', at: event, amount: charge, tankId }, posting);
  if (actualGasCost > charge) {
    const at = { ...event, logIndex: beyondHold(event.logIndex) };
    await postMovement(transaction, { kind: 'cost', at, amount: actualGasCost - charge, tankId: null }, posting);
  }
  await settleOperation(transaction, { chainId, event, landed, holds, tankId, charge, cost: charge }, posting);
  return payer !== undefined;
}

/** The log index of the part of a cost that no hold covers: no log on chain has an index below 0. */
const beyondHold = (logIndex: number): number => -1_000 - logIndex;

/** The tank and the amount of a hold that was released before its operation landed. */
async function findReleased(
  transaction: Transaction<Database>,
  chainId: number,
  { contract, userOperationHash }: UserOperationLanded,
): Promise<{ readonly tankId: number; readonly amount: bigint } | undefined> {
  const row = await transaction
    .selectFrom('relayed_operations as relayed')
    .innerJoin('holds', 'holds.hold_id', 'relayed.hold_id')
    .select(['holds.tank_id', 'holds.amount'])
    .where('relayed.chain_id', '=', chainId)
    .where('relayed.contract', '=', contract)
    .where('relayed.user_operation_hash', '=', userOperationHash)
    .where('holds.state', '=', 'released')
    .orderBy('holds.hold_id')
    .executeTakeFirst();
  return row === undefined ? undefined : { tankId: row.tank_id, amount: fromWeiText(row.amount) };
}
