import { type Address, BaseError, zeroHash } from 'viem';
import type { ChainClient } from '../../node/chain-client.ts';
import type { ChainEvent, DepositEvent } from '../../node/chain-event.ts';
import { OffChain } from '../../node/event-range.ts';
import type { Watched, WatchedContract } from '../../node/followed-chain.ts';
import { ifStateIsThere } from '../../node/node-error.ts';
import { readDepositAt } from '../../node/read-deposits.ts';
import { type ReadStretch, readStretch } from '../../node/read-stretch.ts';
import { relayLogs } from '../../node/relay/charge-transactions.ts';
import { journalDeposit } from '../journal.ts';
import { passBlock } from '../posting/pass-block.ts';
import { depositAfter } from '../posting/post-deposit.ts';
import { cutStretch } from './cut-stretch.ts';
import { type Doubt, findDoubt } from './find-doubt.ts';
import { type Behind, type BehindByContract, type Following, ledgerRefuses, nodeIsAway } from './following.ts';
import { revertToChain } from './revert-to-chain.ts';
import { nameUnknownOperations, takeStretch } from './take-stretch.ts';
import { findPosition, type WatchPosition } from './watch-position.ts';

/**
 * Where the contracts are that have advanced, and why the others have not; `wentBack` when the ledger of some was rolled
 * back.
 */
type Taken = {
  readonly positions: readonly WatchPosition[];
  readonly behind: BehindByContract;
  readonly wentBack: boolean;
};

/**
 * Posts the next stretch of contracts that are at the same block to their ledgers, from the first node whose data agrees for
 * the contract: the deposit before and the events must add up to the contract's deposit at the end. A ledger that agrees
 * with no node is rolled back when a node says that its last block is not on the chain any more.
 */
export async function takeFromNodes(options: Following, group: readonly WatchPosition[]): Promise<Taken> {
  const moved: WatchPosition[] = [];
  const behind = new Map<Address, Behind>();
  let left = group;
  const elsewhere: ChainClient[] = [];
  for (const node of options.nodes) {
    const read = await readGroup(options, node, left).catch((cause: unknown) => ({ cause }));
    if (read === 'nothing') return { positions: moved, behind: new Map(), wentBack: false };
    if ('cause' in read) {
      if (read.cause instanceof OffChain) elsewhere.push(node);
      for (const { contract } of left) noteFailure(behind, contract.address, read.cause);
      continue;
    }
    const differing: WatchPosition[] = [];
    for (const position of left) {
      const result = await takeOne(options, { node, position, read });
      if (note(behind, moved, { position, result }) === 'differs') differing.push(position);
    }
    // Without this, going back only takes longer: it need not be committed with what was posted.
    const taken = left.map(({ contract }) => contract.address).filter((address) => !behind.has(address));
    if (taken.length > 0) await passBlock(options.store, { chainId: options.chainId, contracts: taken }, read.end);
    left = differing;
    if (left.length === 0) break;
  }
  let wentBack = false;
  // Whatever nodes say that still have the last block: none of them could continue this ledger.
  for (const position of elsewhere.length === 0 ? [] : left) {
    const result = await revertFrom(options, elsewhere, position);
    wentBack ||= 'next' in result;
    note(behind, moved, { position, result });
  }
  return { positions: moved, behind, wentBack };
}

/** Records where a contract is now, or why it does not follow; returns whether another node may say something else. */
function note(
  behind: Map<Address, Behind>,
  moved: WatchPosition[],
  { position, result }: { readonly position: WatchPosition; readonly result: WatchPosition | Behind },
): 'settled' | 'differs' {
  const { address } = position.contract;
  if ('next' in result) {
    moved.push(result);
    behind.delete(address);
    return 'settled';
  }
  behind.set(address, result);
  return result.kind === 'refused' ? 'settled' : 'differs';
}

/** Rolls back using the first of the nodes that says which blocks the chain still has. */
async function revertFrom(
  options: Following,
  nodes: readonly ChainClient[],
  position: WatchPosition,
): Promise<WatchPosition | Behind> {
  let result: WatchPosition | Behind = nodeIsAway;
  for (const node of nodes) {
    result = await revertToChain(options, node, position).catch((cause: unknown) => explain(cause));
    if ('next' in result || result.kind !== 'node') return result;
  }
  return result;
}

/** What the chain's client throws means that the answer is missing. */
function explain(cause: unknown): Behind {
  return cause instanceof BaseError ? { ...nodeIsAway, cause } : { ...ledgerRefuses, cause };
}

/**
 * Keeps the first failure, unless nodes differ, which says more. That the last block is off the chain is reported when the
 * ledger is rolled back.
 */
function noteFailure(behind: Map<Address, Behind>, contract: Address, cause: unknown): void {
  if (cause instanceof OffChain || behind.has(contract)) return;
  behind.set(contract, { ...nodeIsAway, cause });
}

function readGroup(
  options: Following,
  node: ChainClient,
  group: readonly WatchPosition[],
): Promise<ReadStretch | 'nothing'> {
  const [one] = group;
  if (one === undefined) throw new Error('There is nothing to read.');
  const { watched, confirmed, width, isClosed } = options;
  const contracts = group.map(({ contract }) => contract);
  const { next: fromBlock, lastHash } = one;
  return readStretch(node, { watched: { ...watched, contracts }, fromBlock, lastHash, confirmed, width, isClosed });
}

type One = { readonly node: ChainClient; readonly position: WatchPosition; readonly read: ReadStretch };

/** The contract's place after the stretch, or why it was not posted. */
async function takeOne(options: Following, { node, position, read }: One): Promise<WatchPosition | Behind> {
  const { chainId, store } = options;
  const { contract } = position;
  const { fromBlock, end } = read;
  const nextBlock = end.number + 1n;
  const own = read.events.filter((event) => event.contract === contract.address);
  try {
    const opening = await findOpening(options, { node, position, read });
    const before = await journalDeposit(store.db, chainId, contract.address);
    const sum = { before, after: read.deposits.get(contract.address) ?? 0n, end };
    const events = balanceRelay(options, contract, [...opening, ...own], sum);
    const reported = depositAfter(before, events, contract.address);
    if (reported !== sum.after)
      return differs(`its deposit is ${sum.after} wei but the events add up to ${reported} wei`, end);
    const doubt = await findDoubt(store, node, { chainId, contract, events: own, fromBlock, toBlock: end.number });
    if (doubt !== undefined && !isDispelled(options, doubt, position)) return differs(doubt.what, end);
    const { watch: watchBefore } = position;
    const named = await nameUnknownOperations(store, node, { entryPoint: options.watched.entryPoint, events });
    const stretch = { chainId, contract: contract.address, events: named, watchBefore, nextBlock, lastHash: end.hash };
    const wasTaken = await takeStretch(options, await cutStretch(node, stretch), Number(end.timestamp));
    if (wasTaken) return { contract, next: nextBlock, lastHash: end.hash, watch: nextBlock };
    return await findPosition(options, contract);
  } catch (cause) {
    return explain(cause);
  }
}

/** A difference that the contract itself may have caused is accepted as such when it persists. */
function isDispelled(
  { patience, chainId, logger }: Following,
  doubt: Doubt,
  { contract, next }: WatchPosition,
): boolean {
  if (doubt.kind === 'certain' || !patience.isOver(contract.address, next)) return false;
  logger.warn({ chainId, contract: contract.address }, `Accepted after waiting, unresolved: ${doubt.what}`);
  return true;
}

function differs(what: string, { number }: ReadStretch['end']): Behind {
  return { kind: 'differs', text: `the nodes omit events or report different ones: at block ${number} ${what}` };
}

/** What the ledger of a relay contained before a stretch and what its executors hold after it, in wei. */
type Sums = { readonly before: bigint; readonly after: bigint; readonly end: ReadStretch['end'] };

/**
 * Adds what none of a relay's events explains to them, as the operator's: what its executors had when the ledger began,
 * executors added to or removed from the configuration, and blocks whose state the node no longer has. No tank is filled or
 * charged because of it. For other contracts the events explain everything.
 */
function balanceRelay(
  { chainId, logger }: Pick<Following, 'chainId' | 'logger'>,
  { address: contract, relay }: WatchedContract,
  events: readonly ChainEvent[],
  { before, after, end }: Sums,
): readonly ChainEvent[] {
  if (relay === undefined) return events;
  const missing = after - depositAfter(before, events, contract);
  if (missing === 0n) return events;
  const fields = { chainId, contract, blockNumber: Number(end.number), wei: missing.toString() };
  logger.info(fields, 'The balances of the executors changed by what no transaction explains');
  const at = { contract, blockNumber: end.number, txHash: end.hash, logIndex: relayLogs.balanced };
  const added: ChainEvent =
    missing > 0n
      ? { kind: 'deposit', totalDeposit: 0n, rise: missing, ...at }
      : { kind: 'executor-cost', amount: -missing, ...at };
  return [...events, added];
}

/**
 * What a contract had deposited before the first block that is read, as a deposit of no wallet: the journal of a contract is
 * the whole of its deposit. Where the node no longer has that state, it is what the first stretch leaves unexplained. None
 * for a contract whose ledger has begun.
 */
export async function findOpening(
  { watched: { entryPoint }, startBlock }: { readonly watched: Watched; readonly startBlock: bigint },
  {
    node,
    position,
    read,
  }: { readonly node: ChainClient; readonly position: WatchPosition; readonly read: ReadStretch },
): Promise<readonly DepositEvent[]> {
  // What a relay has at first is posted by `balanceRelay`.
  if (position.lastHash !== undefined || startBlock === 0n || position.contract.relay !== undefined) return [];
  const { address: contract } = position.contract;
  const blockNumber = startBlock - 1n;
  const known = await ifStateIsThere(readDepositAt(node, { entryPoint, contract }, blockNumber));
  const rise = known ?? (read.deposits.get(contract) ?? 0n) - depositAfter(0n, read.events, contract);
  if (rise <= 0n) return [];
  return [{ kind: 'deposit', contract, totalDeposit: rise, rise, blockNumber, txHash: zeroHash, logIndex: 0 }];
}
