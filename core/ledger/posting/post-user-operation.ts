import type { Transaction } from 'kysely';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { openTank } from '../tanks/open-tank.ts';
import { findHolds } from './landed-hold.ts';
import { type Posting, postMovement } from './post-movement.ts';
import { postRelayedOperation } from './post-relayed-operation.ts';
import { settleOperation } from './settle-operation.ts';

/**
 * Settles an operation that has landed: its hold is released and its cost for the tank is posted instead: what the contract
 * took from the customer's balance if it keeps one for each, otherwise what the EntryPoint took. The contract's journal
 * contains the latter in any case. Other live holds of the same sender and nonce are released, since that nonce is used up.
 * False when none of our holds explains the operation.
 */
export async function postUserOperation(
  transaction: Transaction<Database>,
  chainId: number,
  event: UserOperationLanded,
  posting: Posting,
): Promise<boolean> {
  if (event.relayed === true) return postRelayedOperation(transaction, chainId, event, posting);
  const charge = event.charge?.amount ?? event.actualGasCost;
  const { landed, holds } = await findHolds(transaction, chainId, event);
  const tankId = landed?.tankId ?? (await findCharged(transaction, chainId, event));
  await postMovement(transaction, { kind: 'cost', amount: event.actualGasCost, tankId, at: event }, posting);
  await settleOperation(
    transaction,
    { chainId, event, landed, holds, tankId, charge, cost: event.actualGasCost },
    posting,
  );
  return landed !== undefined;
}

/** The tank of the customer that the contract charged for an operation that no hold explains. */
async function findCharged(
  transaction: Transaction<Database>,
  chainId: number,
  { contract, charge }: UserOperationLanded,
): Promise<number | null> {
  if (charge === undefined) return null;
  return (await openTank(transaction, { chainId, contract, wallet: charge.wallet })).tank_id;
}
