import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import type { Address } from 'viem';
import { maxBigint } from '../../base/values/integers.ts';
import type { ChainEvent, CustomerDepositEvent, DepositEvent, EventPosition } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fromWeiText, toWeiText } from '../../store/wei.ts';
import type { TankKey } from '../holds/hold-request.ts';
import { type Booking, worthWhenBooked } from '../insert-entry.ts';
import { rollbacksOfTank } from '../reversals.ts';
import { openTank } from '../tanks/locate-tank.ts';
import { isTreasury } from '../treasury/transfers.ts';
import { depositSoFar, type Posting, postMovement } from './post-movement.ts';

/**
 * Posts a deposit: to the tank of the wallet that made it, if an account sent it itself, or of the wallet named with it;
 * otherwise only to the contract's journal, with the amount by which the deposit rose. What the operator's hot wallet sends
 * is in no tank.
 */
export async function postDeposit(
  transaction: Transaction<Database>,
  chainId: number,
  event: DepositEvent,
  posting: Posting,
): Promise<void> {
  const { contract, direct, sender } = event;
  const movement = { kind: 'deposit', at: event, ...omitAbsent({ sender }) } as const;
  const amount = depositRise(event, await depositSoFar(transaction, posting.journal));
  if (direct === undefined || (await isTreasury(transaction, { chainId, wallet: direct.wallet }))) {
    await postMovement(transaction, { ...movement, amount, tankId: null }, posting);
    return;
  }
  const { wallet } = direct;
  const tankId = await fillTank(transaction, { tank: { chainId, contract, wallet }, amount, at: event }, posting);
  await postMovement(transaction, { ...movement, amount, tankId }, posting);
}

/** Posts what a customer added to its balance inside a paymaster contract: to the tank of that wallet. */
export async function postCustomerDeposit(
  transaction: Transaction<Database>,
  chainId: number,
  event: CustomerDepositEvent,
  booking: Booking,
): Promise<void> {
  const { contract, wallet, amount } = event;
  await fillTank(transaction, { tank: { chainId, contract, wallet }, amount, at: event }, booking);
}

/** Adds to what a tank was funded with; the first time creates the tank. Returns its id. */
async function fillTank(
  transaction: Transaction<Database>,
  deposit: { readonly tank: TankKey; readonly amount: bigint; readonly at: EventPosition },
  { now, coinPrice }: Booking,
): Promise<number> {
  const { tank_id, funded } = await openTank(transaction, deposit.tank);
  await transaction
    .updateTable('tanks')
    .set({ funded: toWeiText(fromWeiText(funded) + deposit.amount) })
    .where('tank_id', '=', tank_id)
    .execute();
  await transaction
    .insertInto('entries')
    .values({
      tank_id,
      kind: 'deposit',
      amount: toWeiText(deposit.amount),
      tx_hash: deposit.at.txHash,
      log_index: deposit.at.logIndex,
      block_number: Number(deposit.at.blockNumber),
      rewind: rollbacksOfTank(tank_id),
      created_at: now,
      ...worthWhenBooked(deposit.amount, coinPrice),
    })
    .execute();
  return tank_id;
}

/** By how much a deposit event raises a contract's deposit of `before`, in wei. */
function depositRise({ direct, rise, totalDeposit }: DepositEvent, before: bigint): bigint {
  return direct?.amount ?? maxBigint(rise ?? totalDeposit - before, 0n);
}

/** The deposit that a contract has after the events of some blocks, in wei. */
export function depositAfter(before: bigint, events: readonly ChainEvent[], contract: Address): bigint {
  let deposit = before;
  for (const event of events) {
    if (event.contract !== contract) continue;
    if (event.kind === 'deposit') deposit += depositRise(event, deposit);
    if (event.kind === 'withdrawal' || event.kind === 'executor-cost') deposit -= event.amount;
    if (event.kind === 'user-operation') deposit -= event.actualGasCost;
  }
  return deposit;
}
