import type { Transaction } from 'kysely';
import type { Address } from 'viem';
import { maxBigint } from '../../base/values/integers.ts';
import type {
  ChainEvent,
  CustomerDepositEvent,
  CustomerWithdrawalEvent,
  DepositEvent,
} from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { isHotWallet } from '../hot-wallet/transfers.ts';
import { type Posting, post } from '../journal.ts';
import { openTank } from '../tanks/locate-tank.ts';
import { fundTank } from '../tanks/take-from-tanks.ts';

/**
 * Posts a deposit: to the tank of the wallet that made it, if an account sent it itself, or of the wallet named with it;
 * otherwise only to the contract, with the amount by which the deposit rose. What the operator's hot wallet sends is in no tank.
 */
export async function postDeposit(
  transaction: Transaction<Database>,
  chainId: number,
  event: DepositEvent,
  posting: Posting,
): Promise<void> {
  const { contract, direct, sender } = event;
  const moved = depositRise(event, posting.journal.deposit);
  if (direct === undefined || (await isHotWallet(transaction, { chainId, wallet: direct.wallet }))) {
    post({ kind: 'deposit', tankId: null, amount: 0n, moved, sender, at: event }, posting);
    return;
  }
  const { tank_id: tankId } = await openTank(transaction, { chainId, contract, wallet: direct.wallet });
  await fundTank(transaction, tankId, moved);
  post({ kind: 'deposit', tankId, amount: moved, moved, sender, at: event }, posting);
}

/**
 * Posts what a customer put into its balance inside a paymaster contract, or took from it: to the tank of that wallet. The
 * contract's own event moves the deposit.
 */
export async function postCustomerMoney(
  transaction: Transaction<Database>,
  chainId: number,
  event: CustomerDepositEvent | CustomerWithdrawalEvent,
  posting: Posting,
): Promise<void> {
  const { contract, wallet, amount } = event;
  const kind = event.kind === 'customer-deposit' ? 'deposit' : 'withdrawal';
  const { tank_id: tankId } = await openTank(transaction, { chainId, contract, wallet });
  await fundTank(transaction, tankId, kind === 'deposit' ? amount : -amount);
  post({ kind, tankId, amount, moved: 0n, at: event }, posting);
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
