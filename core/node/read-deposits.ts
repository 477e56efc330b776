import { type Address, getAddress, type Hex, isAddressEqual } from 'viem';
import { tankFilledEvent, tankFunderAddress } from '../evm/tank-funder/tank-funder.ts';
import type { ChainClient } from './chain-client.ts';
import type { DepositEvent, EventPosition, UserOperationLanded, WithdrawalEvent } from './chain-event.ts';
import { depositedEvent } from './entry-point-events.ts';
import { type EventRange, onChain, placeOf, within } from './event-range.ts';
import { ifStateIsThere } from './node-error.ts';
import { readDepositAt } from './read-deposit-at.ts';

/** The other events of the range that move a contract's deposit. */
type OtherMoves = {
  readonly operations: readonly UserOperationLanded[];
  readonly withdrawals: readonly WithdrawalEvent[];
};

/** What a `Deposited` event tells. */
type ReportedDeposit = Pick<DepositEvent, 'contract' | 'totalDeposit'> & EventPosition;

/** Reads the events alone. */
export async function readDepositLogs(client: ChainClient, range: EventRange): Promise<readonly ReportedDeposit[]> {
  const account = range.contracts.map(({ address }) => address);
  const logs = await client.getLogs({
    ...within(range),
    address: range.entryPoint,
    event: depositedEvent,
    args: { account },
  });
  return onChain(logs, range, range.entryPoint).map((log) => ({
    contract: getAddress(log.args.account),
    totalDeposit: log.args.totalDeposit,
    ...placeOf(log),
  }));
}

/**
 * Reads deposits. `Deposited` tells the new total, not the amount, and not who paid. Both are taken from the transaction:
 * the value an account sent straight to the EntryPoint or to the paymaster. Or from the event right behind it, of the contract that fills
 * tanks. A deposit made in another way has no `direct` part; it has its `rise` instead.
 */
export async function readDeposits(
  client: ChainClient,
  range: EventRange,
  others: OtherMoves,
): Promise<{ readonly deposits: readonly DepositEvent[]; readonly fills: readonly TankFill[] }> {
  const logs = await readDepositLogs(client, range);
  const fills = logs.length === 0 ? [] : await readTankFills(client, range);
  const perTransaction = new Map<Hex, number>();
  for (const { txHash } of logs) perTransaction.set(txHash, (perTransaction.get(txHash) ?? 0) + 1);

  const deposits: DepositEvent[] = [];
  for (const log of logs) {
    const { contract } = log;
    const { to, from, value } = await client.getTransaction({ hash: log.txHash });
    // Without value it is a bundle, in which an account made the deposit.
    const straight =
      value > 0n && to !== null && (isAddressEqual(to, range.entryPoint) || isAddressEqual(to, contract));
    const keepsBalances = range.contracts.some(({ customers, address }) => customers && address === contract);
    const alone = perTransaction.get(log.txHash) === 1;
    deposits.push({
      kind: 'deposit',
      ...log,
      sender: getAddress(from),
      ...(to === null ? {} : { called: getAddress(to) }),
      ...(straight && alone && !keepsBalances ? { direct: { wallet: getAddress(from), amount: value } } : {}),
    });
  }
  return { deposits: await measureRises(client, range.entryPoint, nameFilled(deposits, fills), others), fills };
}

function isIndirect({ direct }: DepositEvent): boolean {
  return direct === undefined;
}

/** Gives deposits of the contract that fills tanks the wallet and the wei that its event tells, right behind each. */
function nameFilled(deposits: readonly DepositEvent[], fills: readonly TankFill[]): readonly DepositEvent[] {
  const behind = new Map(fills.map((fill) => [fillKey(fill, fill.logIndex - 1), fill]));
  return deposits.map((deposit) => {
    const fill = isIndirect(deposit) ? behind.get(fillKey(deposit, deposit.logIndex)) : undefined;
    return fill === undefined ? deposit : { ...deposit, direct: { wallet: fill.wallet, amount: fill.amount } };
  });
}

/**
 * Finds how much came in with deposits that no value tells: by how much the contract's whole deposit changed over the block,
 * less all other changes in it. `totalDeposit` would have in it what was left out before, and inside a bundle that the
 * contract pays for not what the EntryPoint has taken out of it meanwhile. It is booked with the first deposit of the block
 * that is not direct, the others of that block have 0. Where the node no longer has the state of the block, `totalDeposit`
 * has to do.
 */
async function measureRises(
  client: ChainClient,
  entryPoint: Address,
  deposits: readonly DepositEvent[],
  { operations, withdrawals }: OtherMoves,
): Promise<readonly DepositEvent[]> {
  const indirect = deposits.filter(isIndirect);
  const rises = new Map<DepositEvent, bigint>();
  for (const one of indirect) {
    const inBlock = (event: { readonly contract: Address; readonly blockNumber: bigint }) =>
      event.contract === one.contract && event.blockNumber === one.blockNumber;
    const together = indirect.filter(inBlock);
    if (together.some((deposit) => rises.has(deposit))) continue;
    const change = await ifStateIsThere(changeOver(client, entryPoint, one));
    if (change === undefined) continue;
    const costs = operations.filter(inBlock).reduce((sum, { actualGasCost }) => sum + actualGasCost, 0n);
    const taken = withdrawals.filter(inBlock).reduce((sum, { amount }) => sum + amount, 0n);
    const reported = deposits.filter(inBlock).reduce((sum, { direct }) => sum + (direct?.amount ?? 0n), 0n);
    for (const [index, deposit] of together.entries()) {
      rises.set(deposit, index === 0 ? change + costs + taken - reported : 0n);
    }
  }
  return deposits.map((deposit) => {
    const rise = rises.get(deposit);
    return rise === undefined ? deposit : { ...deposit, rise };
  });
}

/** By how much the contract's deposit changed over a block, in wei. */
async function changeOver(
  client: ChainClient,
  entryPoint: Address,
  { contract, blockNumber }: DepositEvent,
): Promise<bigint> {
  const depositAt = (block: bigint) => readDepositAt(client, { entryPoint, contract }, block);
  const [before, after] = await Promise.all([depositAt(blockNumber - 1n), depositAt(blockNumber)]);
  return after - before;
}

/** What the contract that fills tanks tells of a deposit that it made: whose tank it is for, and how many wei came in. */
type TankFill = EventPosition & {
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

/** Reads them for the contracts of the range that keep no balances of their customers themselves. */
export async function readTankFills(client: ChainClient, range: EventRange): Promise<readonly TankFill[]> {
  const paymaster = range.contracts.flatMap(({ address, customers }) => (customers === undefined ? [address] : []));
  if (paymaster.length === 0) return [];
  const logs = await client.getLogs({
    ...within(range),
    address: tankFunderAddress,
    event: tankFilledEvent,
    // Another contract instead of the EntryPoint has deposited nothing.
    args: { entryPoint: range.entryPoint, paymaster },
  });
  return onChain(logs, range, tankFunderAddress).map((log) => ({
    contract: getAddress(log.args.paymaster),
    wallet: getAddress(log.args.wallet),
    amount: log.args.amount,
    ...placeOf(log),
  }));
}

/** One text for a deposit and the fill right behind it. */
function fillKey({ contract, txHash }: Pick<TankFill, 'contract' | 'txHash'>, depositIndex: number): string {
  return `${contract} ${txHash} ${depositIndex}`;
}
