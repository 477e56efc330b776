import { type Address, getAddress, type Hex, isAddress, isAddressEqual } from 'viem';
import type {
  ChainEvent,
  CustomerDepositEvent,
  DepositEvent,
  UserOperationLanded,
  WithdrawalEvent,
} from '../ledger/chain-event.ts';
import type { ChainClient } from './chain-client.ts';
import type { WatchedContract } from './chain-watcher.ts';
import { depositedEvent, userOperationEvent, withdrawnEvent } from './entry-point-events.ts';

/** Which events: those of these paymaster contracts at this EntryPoint, in these blocks (both ends included). */
export type EventRange = {
  readonly entryPoint: Address;
  readonly contracts: readonly WatchedContract[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
};

/** Reads a range of events in chain order. Rejects when the node does not answer or answers half a log. */
export async function readChainEvents(client: ChainClient, range: EventRange): Promise<readonly ChainEvent[]> {
  const events = await Promise.all([
    readUserOperations(client, range),
    readDeposits(client, range),
    readWithdrawals(client, range),
    ...range.contracts.map((contract) => readCustomerDeposits(client, range, contract)),
  ]);
  return events.flat().sort(inChainOrder);
}

function inChainOrder(a: ChainEvent, b: ChainEvent): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1;
  return a.logIndex - b.logIndex;
}

function addressesOf(range: EventRange): Address[] {
  return range.contracts.map(({ address }) => address);
}

/** What all log queries of a range share. */
function within(range: EventRange) {
  return { address: range.entryPoint, fromBlock: range.fromBlock, toBlock: range.toBlock, strict: true } as const;
}

function placeOf(log: { blockNumber: bigint; transactionHash: Hex; logIndex: number }) {
  return { blockNumber: log.blockNumber, txHash: log.transactionHash, logIndex: log.logIndex };
}

async function readUserOperations(client: ChainClient, range: EventRange): Promise<readonly UserOperationLanded[]> {
  const args = { paymaster: addressesOf(range) };
  const logs = await client.getLogs({ ...within(range), event: userOperationEvent, args });
  return logs.map((log) => ({
    kind: 'user-operation',
    contract: getAddress(log.args.paymaster),
    userOperationHash: log.args.userOpHash,
    sender: getAddress(log.args.sender),
    nonce: log.args.nonce,
    actualGasCost: log.args.actualGasCost,
    ...placeOf(log),
  }));
}

async function readWithdrawals(client: ChainClient, range: EventRange): Promise<readonly WithdrawalEvent[]> {
  const args = { account: addressesOf(range) };
  const logs = await client.getLogs({ ...within(range), event: withdrawnEvent, args });
  return logs.map((log) => ({
    kind: 'withdrawal',
    contract: getAddress(log.args.account),
    amount: log.args.amount,
    ...placeOf(log),
  }));
}

/**
 * `Deposited` tells the new total, not the amount, and not who paid. Both are taken from the transaction: the value an
 * account sent straight to the EntryPoint or to the paymaster. A deposit made in another way has no `direct` part.
 */
async function readDeposits(client: ChainClient, range: EventRange): Promise<readonly DepositEvent[]> {
  const args = { account: addressesOf(range) };
  const logs = await client.getLogs({ ...within(range), event: depositedEvent, args });
  const perTransaction = new Map<Hex, number>();
  for (const { transactionHash: hash } of logs) perTransaction.set(hash, (perTransaction.get(hash) ?? 0) + 1);

  const deposits: DepositEvent[] = [];
  for (const log of logs) {
    const contract = getAddress(log.args.account);
    const { to, from, value } = await client.getTransaction({ hash: log.transactionHash });
    // Without value it is a bundle, in which an account made the deposit.
    const straight =
      value > 0n && to !== null && (isAddressEqual(to, range.entryPoint) || isAddressEqual(to, contract));
    const keepsBalances = range.contracts.some((watched) => watched.customerDeposit && watched.address === contract);
    const alone = perTransaction.get(log.transactionHash) === 1;
    deposits.push({
      kind: 'deposit',
      contract,
      totalDeposit: log.args.totalDeposit,
      ...placeOf(log),
      ...(straight && alone && !keepsBalances ? { direct: { wallet: getAddress(from), amount: value } } : {}),
    });
  }
  return deposits;
}

/** Deposits that a contract books for its customers: the event's first argument is the wallet, the second the amount. */
async function readCustomerDeposits(
  client: ChainClient,
  range: EventRange,
  { address, customerDeposit }: WatchedContract,
): Promise<readonly CustomerDepositEvent[]> {
  if (customerDeposit === undefined) return [];
  const logs = await client.getLogs({ ...within(range), address, event: customerDeposit });
  return logs.map((log) => {
    const [wallet, amount] = readCustomerDeposit(log.args);
    return { kind: 'customer-deposit', contract: address, wallet, amount, ...placeOf(log) };
  });
}

function readCustomerDeposit(args: unknown): [Address, bigint] {
  const [wallet, amount] = typeof args === 'object' && args !== null ? Object.values(args) : [];
  if (typeof wallet !== 'string' || !isAddress(wallet) || typeof amount !== 'bigint') {
    throw new TypeError('A customer deposit event does not begin with an address and an amount.');
  }
  return [getAddress(wallet), amount];
}
