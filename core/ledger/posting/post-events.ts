import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Address, Hex } from 'viem';
import type { ChainEvent, UserOperationLanded } from '../../node/chain-event.ts';
import type { SeenCoinPrice } from '../../quotes/last-coin-price.ts';
import type { Database } from '../../store/database.ts';
import { openTank } from '../tanks/locate-tank.ts';
import { recoverShortfalls, takeFromTank } from '../tanks/take-from-tank.ts';
import { WatchMoved } from './pass-block.ts';
import { postCustomerDeposit, postDeposit } from './post-deposit.ts';
import { openJournal, type Posting, postMovement, writeJournal } from './post-movement.ts';
import { postRelayedOperation } from './post-relayed-operation.ts';
import { findHolds, settleOperation } from './settle-operation.ts';

/** The events of one contract in a confirmed stretch of blocks, in chain order. */
export type ConfirmedStretch = {
  readonly chainId: number;
  readonly contract: Address;
  readonly events: readonly ChainEvent[];
  /** Where the contract's watch was when the stretch was read; undefined when it had not started. */
  readonly watchBefore: bigint | undefined;
  /** The first block after the stretch. */
  readonly nextBlock: bigint;
  /** Hash of the last block of the stretch, which reveals a deeper reorg. */
  readonly lastHash: Hex;
  /** What the chain's coin was worth then; absent when it is not known. */
  readonly coinPrice?: SeenCoinPrice;
};

/**
 * Posts a stretch to the ledger and moves the watch on, in one transaction of the caller: after a crash the stretch is
 * either complete or read again. Returns the operations that no hold explains.
 *
 * @throws WatchMoved when another process has moved the watch since the stretch was read. Nothing is posted then.
 */
export async function postEvents(
  transaction: Transaction<Database>,
  stretch: ConfirmedStretch,
  now: number,
): Promise<readonly UserOperationLanded[]> {
  await moveWatch(transaction, stretch);
  const { chainId, contract, coinPrice } = stretch;
  const posting = { now, journal: openJournal(chainId, contract), ...omitAbsent({ coinPrice }) };
  const unexplained: UserOperationLanded[] = [];
  for (const event of stretch.events) {
    if (event.contract !== contract) throw new Error('A stretch has an event of another contract.');
    const explained = await postEvent(transaction, chainId, event, posting);
    if (!explained && event.kind === 'user-operation') unexplained.push(event);
  }
  await writeJournal(transaction, posting.journal);
  await recoverShortfalls(transaction, chainId, now);
  return unexplained;
}

/** Moves the watch from where the stretch begins to its end, and only from there. */
async function moveWatch(transaction: Transaction<Database>, stretch: ConfirmedStretch): Promise<void> {
  const { chainId, contract, watchBefore, nextBlock, lastHash } = stretch;
  const reached = { next_block: Number(nextBlock), last_hash: lastHash };
  if (watchBefore === undefined) {
    const begun = await transaction
      .insertInto('contract_watches')
      .values({ chain_id: chainId, contract, ...reached })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (begun.numInsertedOrUpdatedRows !== 1n) throw new WatchMoved(chainId, contract);
    return;
  }
  const moved = await transaction
    .updateTable('contract_watches')
    .set(reached)
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('next_block', '=', Number(watchBefore))
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new WatchMoved(chainId, contract);
}

/** False when the event is an operation that none of our holds explains. */
async function postEvent(
  transaction: Transaction<Database>,
  chainId: number,
  event: ChainEvent,
  posting: Posting,
): Promise<boolean> {
  switch (event.kind) {
    case 'deposit':
      await postDeposit(transaction, chainId, event, posting);
      return true;
    case 'customer-deposit':
      await postCustomerDeposit(transaction, chainId, event, posting);
      return true;
    case 'customer-withdrawal': {
      const { contract, wallet, amount } = event;
      const { tank_id: tankId } = await openTank(transaction, { chainId, contract, wallet });
      await takeFromTank(transaction, { tankId, kind: 'withdrawal', amount, at: event }, posting);
      return true;
    }
    case 'withdrawal':
      await postMovement(transaction, { kind: 'withdrawal', amount: event.amount, tankId: null, at: event }, posting);
      return true;
    case 'executor-cost':
      await postMovement(transaction, { kind: 'cost', amount: event.amount, tankId: null, at: event }, posting);
      return true;
    case 'user-operation':
      return postUserOperation(transaction, chainId, event, posting);
  }
}

/**
 * Settles an operation that has landed: its hold is released and its cost for the tank is posted instead: what the contract
 * took from the customer's balance if it keeps one for each, otherwise what the EntryPoint took. The contract's journal
 * contains the latter in any case. Other live holds of the same sender and nonce are released, since that nonce is used up.
 * False when none of our holds explains the operation.
 */
async function postUserOperation(
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
