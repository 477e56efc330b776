import { type Address, BaseError, getAddress, type Hex, isAddressEqual, type Transaction } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { readBeneficiary } from '../../evm/entry-point/read-bundle.ts';
import type { ChainClient } from '../chain-client.ts';
import type { ChainEvent } from '../chain-event.ts';
import { type ChargedTransaction, chargeTransactions, relayLogs, shareCost } from './charge-transactions.ts';
import { type ExecutorTransaction, readExecutorTransaction } from './executor-transaction.ts';
import type { RelayPlace } from './watched-relay.ts';

/** How one block changed the executors, and their transactions in it. */
type ExecutorBlock = { readonly events: readonly ChainEvent[]; readonly txHashes: readonly Hex[] };

type BlockTransaction = Pick<Transaction, 'hash' | 'from' | 'to' | 'value' | 'input' | 'authorizationList'>;

/**
 * Explains a block in which an executor changed, to the wei: direct deposits, transfers out, transaction costs, and the
 * rest. Rejects when the node omits a transaction whose nonce is used.
 */
export async function readExecutorBlock(
  client: ChainClient,
  location: RelayPlace,
  active: ActiveBlock,
): Promise<ExecutorBlock> {
  const { blockNumber } = active;
  const { executors } = location.relay;
  const isExecutor = (address: Address | null) => address !== null && executors.includes(getAddress(address));
  const block = await client.getBlock({ blockNumber, includeTransactions: true });
  const sent = block.transactions.filter(({ from }) => isExecutor(from));
  checkSent(active, block.transactions, sent);
  const own = await Promise.all(sent.map(({ hash }) => readExecutorTransaction(client, location.entryPoint, hash)));
  const leaving = sent.filter(({ to, value }, index) => value > 0n && own[index]?.success === true && !isExecutor(to));
  const coming = await landedOf(
    client,
    block.transactions.filter(({ from, to, value }) => value > 0n && isExecutor(to) && !isExecutor(from)),
  );
  const at = (txHash: Hex, logIndex: number) => ({ contract: location.contract, blockNumber, txHash, logIndex });
  const fees = own.reduce((sum, { fee }) => sum + fee, 0n);
  const rest = active.change + fees + sumOf(leaving) - sumOf(coming);
  const income = maxBigint(rest, 0n);
  const charged = await chargeTransactions(location, chargeRest(own, rest), income);
  // What bundles earn pays for them first.
  const covered = income - charged.left;
  const earned = minBigint(maxBigint(earnedBy(location, sent, own) - covered, 0n), charged.left);
  const received = charged.left - earned;
  const unexplained = rest < 0n && own.length === 0 ? -rest : 0n;
  const events: readonly ChainEvent[] = [
    ...coming.map(({ hash, from, value: amount }): ChainEvent => {
      const wallet = getAddress(from);
      const direct = { wallet, amount };
      return { kind: 'deposit', totalDeposit: 0n, direct, sender: wallet, ...at(hash, relayLogs.received) };
    }),
    ...leaving.map(({ hash, value: amount }): ChainEvent => {
      return { kind: 'withdrawal', amount, ...at(hash, relayLogs.sentAway) };
    }),
    ...charged.events,
    ...(earned > 0n
      ? [{ kind: 'deposit', totalDeposit: 0n, rise: earned, ...at(block.hash, relayLogs.earned) } as const]
      : []),
    // Through a contract, or a block reward: the sender is unknown.
    ...(received > 0n
      ? [{ kind: 'deposit', totalDeposit: 0n, rise: received, ...at(block.hash, relayLogs.received) } as const]
      : []),
    ...(unexplained > 0n
      ? [{ kind: 'executor-cost', amount: unexplained, ...at(block.hash, relayLogs.ownCost) } as const]
      : []),
  ];
  return { events, txHashes: sent.map(({ hash }) => hash) };
}

/** What the operations of executors' bundles paid to executors, in wei: all of it, before the costs of the bundles. */
function earnedBy(
  { entryPoint, relay: { executors } }: RelayPlace,
  sent: readonly BlockTransaction[],
  own: readonly ExecutorTransaction[],
): bigint {
  let earned = 0n;
  for (const [index, { to, input }] of sent.entries()) {
    if (to === null || !isAddressEqual(to, entryPoint)) continue;
    const beneficiary = readBeneficiary(input);
    if (beneficiary === undefined || !executors.includes(beneficiary)) continue;
    for (const { paid } of own[index]?.operations ?? []) earned += paid;
  }
  return earned;
}

/** A loss that no receipt shows is a fee visible only in the balance: transactions bear it in proportion to their gas. */
function chargeRest(own: readonly ExecutorTransaction[], rest: bigint): readonly ChargedTransaction[] {
  const hidden = shareCost(
    rest < 0n ? -rest : 0n,
    own.map(({ gasUsed }) => gasUsed),
  );
  return own.map((transaction, index) => ({ ...transaction, cost: transaction.fee + (hidden[index] ?? 0n) }));
}

/** An EIP-7702 authorization signed by an executor also uses a nonce. */
function checkSent(
  { blockNumber, sent: nonces }: ActiveBlock,
  all: readonly BlockTransaction[],
  sent: readonly BlockTransaction[],
): void {
  if (all.some(({ authorizationList }) => authorizationList !== undefined)) return;
  for (const [executor, count] of nonces) {
    const reported = sent.filter(({ from }) => getAddress(from) === executor).length;
    if (reported !== count) throw new BaseError(`The node omits transactions of ${executor} in block ${blockNumber}.`);
  }
}

/** Those that did not revert. */
async function landedOf(client: ChainClient, sent: readonly BlockTransaction[]): Promise<readonly BlockTransaction[]> {
  const receipts = await Promise.all(sent.map(({ hash }) => client.getTransactionReceipt({ hash })));
  return sent.filter((_, index) => receipts[index]?.status === 'success');
}

function sumOf(sent: readonly BlockTransaction[]): bigint {
  return sent.reduce((sum, { value }) => sum + value, 0n);
}

/** A block that changed the executors: the sum of their balances in wei, and how many transactions each sent in it. */
type ActiveBlock = {
  readonly blockNumber: bigint;
  readonly change: bigint;
  readonly sent: ReadonlyMap<Address, number>;
};

/** At the end of a block. Nonces in the order of the executors. */
type ExecutorState = { readonly balances: readonly bigint[]; readonly nonces: readonly number[] };

/**
 * Finds the blocks of a range in which the balance or nonce of an executor changed, by bisection: a range with equal state
 * at both ends has none, since a balance cannot fall without a nonce rising. Rejects when the node does not answer, or no
 * longer has the state of a block.
 */
export async function findActiveBlocks(
  client: ChainClient,
  executors: readonly Address[],
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<readonly ActiveBlock[]> {
  const known = new Map<bigint, Promise<ExecutorState>>();
  const stateAt = (block: bigint): Promise<ExecutorState> => {
    const state = known.get(block) ?? readState(client, executors, block);
    known.set(block, state);
    return state;
  };

  async function find(before: bigint, last: bigint): Promise<readonly ActiveBlock[]> {
    const [first, end] = await Promise.all([stateAt(before), stateAt(last)]);
    if (isSame(first, end)) return [];
    if (last - before === 1n) return [{ blockNumber: last, ...difference(executors, first, end) }];
    const middle = (before + last) / 2n;
    // One half after the other: a long range would ask for hundreds of states at once.
    const earlier = await find(before, middle);
    return [...earlier, ...(await find(middle, last))];
  }

  return find(fromBlock - 1n, toBlock);
}

async function readState(client: ChainClient, executors: readonly Address[], block: bigint): Promise<ExecutorState> {
  if (block < 0n) return { balances: executors.map(() => 0n), nonces: executors.map(() => 0) };
  const [balances, nonces] = await Promise.all([
    Promise.all(executors.map((address) => client.getBalance({ address, blockNumber: block }))),
    Promise.all(executors.map((address) => client.getTransactionCount({ address, blockNumber: block }))),
  ]);
  return { balances, nonces };
}

function isSame(one: ExecutorState, other: ExecutorState): boolean {
  return [...one.balances, ...one.nonces].every(
    (value, index) => value === [...other.balances, ...other.nonces][index],
  );
}

function difference(executors: readonly Address[], before: ExecutorState, after: ExecutorState) {
  const sum = ({ balances }: ExecutorState) => balances.reduce((total, balance) => total + balance, 0n);
  const sent = new Map(
    executors.map((address, index) => [address, (after.nonces[index] ?? 0) - (before.nonces[index] ?? 0)]),
  );
  return { change: sum(after) - sum(before), sent };
}
