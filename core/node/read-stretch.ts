import { type Address, BaseError, BlockNotFoundError, type Hex } from 'viem';
import { minBigint } from '../base/values/integers.ts';
import type { ChainClient } from './chain-client.ts';
import type { ChainEvent } from './chain-event.ts';
import { type EventRange, OffChain, type QuestionWidth } from './event-range.ts';
import type { Watched } from './followed-chain.ts';
import { ifStateIsThere, isRangeError } from './node-error.ts';
import { readChainEvents } from './read-chain-events.ts';
import { readDepositAt } from './read-deposits.ts';
import { readRelayEvents } from './relay/read-relay-events.ts';

/** The most events in one stretch; a node without old states is of no use beyond. */
const maxEvents = 50_000;

/** The blocks to read: from one block on, following `lastHash` if known, up to the confirmed block. */
type StretchAsked = {
  readonly watched: Watched;
  readonly fromBlock: bigint;
  readonly lastHash: Hex | undefined;
  readonly confirmed: bigint;
  readonly width: QuestionWidth;
  readonly isClosed: () => boolean;
};

/** One node's events for some blocks, and the contracts' deposits at the end of them, in wei. */
export type ReadStretch = {
  readonly fromBlock: bigint;
  readonly events: readonly ChainEvent[];
  readonly end: { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint };
  readonly deposits: ReadonlyMap<Address, bigint>;
};

/** How often a stretch is read again because of a reorg meanwhile. */
const maxReadings = 3;

/** Blocks, by number and hash, that were on the chain before their events were read. */
type SeenBlock = { readonly number: bigint; readonly hash: Hex };

/**
 * Reads blocks from one node up to one whose state the node still has, to get the contracts' deposits there. `nothing` when
 * no new block is confirmed. Rejects with `OffChain` when the preceding block is a different one there, and also when the
 * node does not answer or no longer has such a state. All results are from one version of the chain: if it was reorganized
 * meanwhile, they are read again.
 */
export async function readStretch(node: ChainClient, asked: StretchAsked): Promise<ReadStretch | 'nothing'> {
  const { fromBlock, confirmed, lastHash } = asked;
  const last = lastHash === undefined ? [] : [{ number: fromBlock - 1n, hash: lastHash }];
  for (let left = maxReadings; left > 0; left -= 1) {
    if (!(await areThere(node, last))) throw new OffChain(fromBlock - 1n);
    if (fromBlock > confirmed) return 'nothing';
    const { seen, stretch } = await readOnce(node, asked);
    // The events of one fork may agree with the deposit of another: most removed transactions come back.
    if (await areThere(node, [...last, ...seen])) return stretch;
  }
  throw new BaseError('The chain was reorganised during every read attempt.');
}

async function readOnce(
  node: ChainClient,
  asked: StretchAsked,
): Promise<{ readonly stretch: ReadStretch; readonly seen: readonly SeenBlock[] }> {
  const { fromBlock, confirmed, width } = asked;
  const events: ChainEvent[] = [];
  const seen: SeenBlock[] = [];
  for (let next = fromBlock; next <= confirmed; ) {
    if (asked.isClosed()) throw new BaseError('Reading has stopped.');
    const toBlock = minBigint(next + width.blocks() - 1n, confirmed);
    const { number, hash, timestamp } = await node.getBlock({ blockNumber: toBlock });
    const range = { ...asked.watched, fromBlock: next, toBlock };
    const read = await readAnyEvents(node, range).catch((cause: unknown) => {
      if (isRangeError(cause) && width.shrink()) return undefined;
      throw cause;
    });
    if (read === undefined) continue;
    width.grow();
    seen.push({ number, hash });
    events.push(...read);
    if (events.length > maxEvents) break;
    const deposits = await ifStateIsThere(readDeposits(node, asked.watched, toBlock));
    if (deposits !== undefined)
      return { seen, stretch: { fromBlock, events, end: { number, hash, timestamp }, deposits } };
    next = toBlock + 1n;
  }
  throw new BaseError(`The node no longer has the state of block ${confirmed}, which is needed to check events.`);
}

/** A relay is watched separately: no EntryPoint event reports changes of wallet balances. */
function readAnyEvents(node: ChainClient, range: EventRange): Promise<readonly ChainEvent[]> {
  const [relayed] = range.contracts;
  return relayed?.relay === undefined
    ? readChainEvents(node, range)
    : readRelayEvents(node, range, { contract: relayed.address, relay: relayed.relay });
}

async function areThere(node: ChainClient, blocks: readonly SeenBlock[]): Promise<boolean> {
  const found = await Promise.all(blocks.map(({ number, hash }) => isThere(node, number, hash)));
  return !found.includes(false);
}

/** Whether a block is on the chain; true for one that the node does not have yet. */
async function isThere(node: ChainClient, blockNumber: bigint, hash: Hex): Promise<boolean> {
  try {
    return (await node.getBlock({ blockNumber })).hash === hash;
  } catch (cause) {
    if (cause instanceof BlockNotFoundError) return true;
    throw cause;
  }
}

async function readDeposits(
  node: ChainClient,
  { entryPoint, contracts }: Watched,
  blockNumber: bigint,
): Promise<ReadonlyMap<Address, bigint>> {
  const read = contracts.map(
    async ({ address: contract, relay }) =>
      [
        contract,
        await readDepositAt(node, { entryPoint, contract, executors: relay?.executors }, blockNumber),
      ] as const,
  );
  return new Map(await Promise.all(read));
}
