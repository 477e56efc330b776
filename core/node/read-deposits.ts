import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, encodeFunctionData, getAddress, type Hex, isAddressEqual } from 'viem';
import { tankFilledEvent, tankFunderAddress } from '../evm/tank-funder/tank-funder.ts';
import type { ChainClient } from './chain-client.ts';
import {
  type DepositEvent,
  depositAbi,
  depositedEvent,
  type EventPosition,
  type UserOperationLanded,
  type WithdrawalEvent,
} from './chain-event.ts';
import { type EventRange, onChain, placeOf, within } from './event-range.ts';
import { ifStateIsThere } from './node-error.ts';

/** The other events of the range that move a contract's deposit. */
type OtherMoves = {
  readonly operations: readonly UserOperationLanded[];
  readonly withdrawals: readonly WithdrawalEvent[];
};

type ReportedDeposit = Pick<DepositEvent, 'contract' | 'totalDeposit'> & EventPosition;

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
 * Reads deposits. `Deposited` reports the new total, but neither the amount nor the payer. Both come from the transaction,
 * if an account sent its value directly to the EntryPoint or the paymaster, or from the tank funder's event right after. Any
 * other deposit has no `direct` part, but its `rise`.
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

/** Adds wallet and wei to the tank funder's deposits, from its event right after each. */
function nameFilled(deposits: readonly DepositEvent[], fills: readonly TankFill[]): readonly DepositEvent[] {
  const behind = new Map(fills.map((fill) => [fillKey(fill, fill.logIndex - 1), fill]));
  return deposits.map((deposit) => {
    const fill = isIndirect(deposit) ? behind.get(fillKey(deposit, deposit.logIndex)) : undefined;
    return fill === undefined ? deposit : { ...deposit, direct: { wallet: fill.wallet, amount: fill.amount } };
  });
}

/**
 * Computes the amount of deposits that no value explains: the change of the contract's deposit over the block, less all
 * other changes in it. `totalDeposit` would include earlier omissions, and inside a bundle that the contract pays for it
 * would miss what the EntryPoint has already taken. The first deposit of the block that is not direct gets the amount, the
 * others get 0. If the node no longer has the state of the block, `totalDeposit` is used.
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

/** The tank funder's event for a deposit that it made: the tank's wallet, and the wei. */
type TankFill = EventPosition & {
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

/** Reads them for the contracts of the range that keep no customer balances. */
export async function readTankFills(client: ChainClient, range: EventRange): Promise<readonly TankFill[]> {
  const paymaster = range.contracts.flatMap(({ address, customers }) => (customers === undefined ? [address] : []));
  if (paymaster.length === 0) return [];
  const logs = await client.getLogs({
    ...within(range),
    address: tankFunderAddress,
    event: tankFilledEvent,
    // Fills of another contract, instead of the EntryPoint, deposited nothing.
    args: { entryPoint: range.entryPoint, paymaster },
  });
  return onChain(logs, range, tankFunderAddress).map((log) => ({
    contract: getAddress(log.args.paymaster),
    wallet: getAddress(log.args.wallet),
    amount: log.args.amount,
    ...placeOf(log),
  }));
}

/** A key that matches a deposit with the fill right after it. */
function fillKey({ contract, txHash }: Pick<TankFill, 'contract' | 'txHash'>, depositIndex: number): string {
  return `${contract} ${txHash} ${depositIndex}`;
}

/** Where sponsoring money is kept: a paymaster contract, or the relay wallets. */
type DepositPlace = {
  readonly entryPoint: Address;
  readonly contract: Address;
  /** For a relay: the wallets whose coin is its deposit. */
  readonly executors?: readonly Address[] | undefined;
};

/**
 * The spendable wei at a block, or at the newest one: the contract's deposit at an EntryPoint, 0 before the EntryPoint
 * existed; for a relay the sum of its executors' balances. Rejects when the node does not answer, or no longer has the state
 * of that block.
 */
export async function readDepositAt(
  client: ChainClient,
  { entryPoint, contract, executors }: DepositPlace,
  blockNumber?: bigint,
): Promise<bigint> {
  if (executors !== undefined) return sumOf(await readBalances(client, executors, blockNumber));
  const data = encodeFunctionData({ abi: depositAbi, functionName: 'balanceOf', args: [contract] });
  const answer = await client.call({ to: entryPoint, data, ...omitAbsent({ blockNumber }) });
  return answer.data === undefined || answer.data === '0x' ? 0n : BigInt(answer.data);
}

/** The balance of each wallet, in the given order. */
export function readBalances(
  client: ChainClient,
  executors: readonly Address[],
  blockNumber?: bigint,
): Promise<readonly bigint[]> {
  return Promise.all(
    executors.map((address) => client.getBalance(blockNumber === undefined ? { address } : { address, blockNumber })),
  );
}

export function sumOf(balances: readonly bigint[]): bigint {
  return balances.reduce((sum, balance) => sum + balance, 0n);
}
