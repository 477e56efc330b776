import { type Address, BaseError, getAddress, type Hex, zeroAddress } from 'viem';
import type { ChainClient } from './chain-client.ts';
import {
  type ChainEvent,
  type EventPosition,
  type UserOperationLanded,
  userOperationEvent,
  type WithdrawalEvent,
  withdrawnEvent,
} from './chain-event.ts';
import {
  attachToOperations,
  type CustomerEvents,
  completeCharges,
  type ReportedTokenPayment,
  readCustomerEvents,
  readTokenPayments,
} from './complete-charges.ts';
import { type EventRange, inChainOrder, onChain, placeOf, within } from './event-range.ts';
import { readDepositLogs, readDeposits, readTankFills } from './read-deposits.ts';

/**
 * Reads a range of events in chain order. Rejects when the node does not answer, returns incomplete logs, or returns other
 * events of a block when asked again.
 */
export async function readChainEvents(client: ChainClient, range: EventRange): Promise<readonly ChainEvent[]> {
  const reported = await readReported(client, range);
  const { landed, withdrawals, payments, customers } = reported;
  const { deposits, fills } = await readDeposits(client, range, { operations: landed, withdrawals });
  // An unexplained rise of the deposit would hide an omitted event.
  const unexplained = deposits.filter(({ direct }) => direct === undefined);
  const doubtful = [...unexplained, ...withoutPayment(range, reported), ...withoutCustomer(range, reported)];
  await confirmBlocks(client, range, {
    blocks: new Set(doubtful.map(({ blockNumber }) => blockNumber)),
    reported: [...allOf(reported), ...deposits, ...fills],
    read: async (block) => [
      ...allOf(await readReported(client, block)),
      ...(await readDepositLogs(client, block)),
      ...(await readTankFills(client, block)),
    ],
  });
  const paid = payments.filter(({ token }) => token !== zeroAddress);
  const operations = attachToOperations(landed, { charges: customers.charges, payments: paid });
  const charged = await completeCharges(client, range, { operations, movements: customers.movements });
  return [...charged, ...withdrawals, ...deposits, ...customers.movements].sort(inChainOrder);
}

type Reported = {
  readonly landed: readonly UserOperationLanded[];
  readonly withdrawals: readonly WithdrawalEvent[];
  readonly payments: readonly ReportedTokenPayment[];
  readonly customers: CustomerEvents;
};

/** All events except deposits. */
async function readReported(client: ChainClient, range: EventRange): Promise<Reported> {
  const [landed, withdrawals, payments, customers] = await Promise.all([
    readUserOperations(client, range),
    readWithdrawals(client, range),
    readTokenPayments(client, range),
    readCustomerEvents(client, range),
  ]);
  return { landed, withdrawals, payments, customers };
}

function allOf({ landed, withdrawals, payments, customers }: Reported) {
  return [...landed, ...withdrawals, ...payments, ...customers.movements, ...customers.charges];
}

/** Operations without a payment: an omitted payment event would look the same. */
function withoutPayment({ contracts }: EventRange, { landed, payments }: Reported): readonly UserOperationLanded[] {
  const telling = new Set(
    contracts.flatMap(({ address, tokenPaymentEvents }) => (tokenPaymentEvents ? [address] : [])),
  );
  const paid = new Set(payments.map(({ userOperationHash }) => userOperationHash));
  return landed.filter(({ contract, userOperationHash }) => telling.has(contract) && !paid.has(userOperationHash));
}

/**
 * Withdrawals that count as the owner's: an omitted customer event would look the same. If the customer's balance is older
 * than the first block read, nothing else reveals it.
 */
function withoutCustomer({ contracts }: EventRange, { withdrawals, customers }: Reported): readonly WithdrawalEvent[] {
  const keeping = new Set(contracts.flatMap(({ address, customers: kept }) => (kept ? [address] : [])));
  const reported = new Set(
    customers.movements.filter(({ kind }) => kind === 'customer-withdrawal').map(({ txHash }) => txHash),
  );
  return withdrawals.filter(({ contract, txHash }) => keeping.has(contract) && !reported.has(txHash));
}

function addressesOf(range: EventRange): Address[] {
  return range.contracts.map(({ address }) => address);
}

async function readUserOperations(client: ChainClient, range: EventRange): Promise<readonly UserOperationLanded[]> {
  const logs = await client.getLogs({
    ...within(range),
    address: range.entryPoint,
    event: userOperationEvent,
    args: { paymaster: addressesOf(range) },
  });
  return onChain(logs, range, range.entryPoint).map((log) => ({
    kind: 'user-operation',
    contract: getAddress(log.args.paymaster),
    userOperationHash: log.args.userOpHash,
    sender: getAddress(log.args.sender),
    nonce: log.args.nonce,
    success: log.args.success,
    actualGasCost: log.args.actualGasCost,
    ...placeOf(log),
  }));
}

async function readWithdrawals(client: ChainClient, range: EventRange): Promise<readonly WithdrawalEvent[]> {
  const logs = await client.getLogs({
    ...within(range),
    address: range.entryPoint,
    event: withdrawnEvent,
    args: { account: addressesOf(range) },
  });
  return onChain(logs, range, range.entryPoint).map((log) => ({
    kind: 'withdrawal',
    contract: getAddress(log.args.account),
    amount: log.args.amount,
    ...placeOf(log),
  }));
}

/** Any value read from a log. */
type LogEvent = EventPosition & { readonly contract: Address };

/**
 * Reads the events of some blocks again, by block hash: a node that has the block returns all of it, and one that does not
 * yet returns an error, whereas a query by number returns an empty list. Rejects if the events differ from the ones
 * reported.
 */
async function confirmBlocks(
  client: ChainClient,
  range: EventRange,
  {
    blocks,
    reported,
    read,
  }: {
    readonly blocks: ReadonlySet<bigint>;
    readonly reported: readonly LogEvent[];
    /** Reads the same kinds of events in another range. */
    readonly read: (range: EventRange) => Promise<readonly LogEvent[]>;
  },
): Promise<void> {
  for (const blockNumber of blocks) {
    const { hash } = await client.getBlock({ blockNumber });
    const again = await read({ ...range, fromBlock: blockNumber, toBlock: blockNumber, blockHash: hash });
    const before = reported.filter((event) => event.blockNumber === blockNumber);
    if (namesOf(again) === namesOf(before)) continue;
    throw new BaseError(`The node reports other events of block ${blockNumber} than before.`);
  }
}

function namesOf(events: readonly LogEvent[]): string {
  const names = events.map(({ txHash, logIndex }): `${Hex}:${number}` => `${txHash}:${logIndex}`);
  return [...new Set(names)].sort().join();
}
