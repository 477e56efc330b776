import { type Address, BaseError, BlockNotFoundError, type Hex } from 'viem';
import { minBigint } from '../base/values/integers.ts';
import type { ChainClient } from './chain-client.ts';
import type { ChainEvent } from './chain-event.ts';
import { type EventRange, OffChain, type QuestionWidth } from './event-range.ts';
import type { Watched } from './followed-chain.ts';
import { ifStateIsThere, isRangeError } from './node-error.ts';
import { readChainEvents } from './read-chain-events.ts';
import { readDepositAt } from './read-deposit-at.ts';
import { readRelayEvents } from './relay/read-relay-events.ts';

/** The most events in one stretch, beyond which a node without old states is of no use. */
const maxEvents = 50_000;

/** What to read: from a block on, after the one with `lastHash` where that is known, not beyond the confirmed one. */
type StretchAsked = {
  readonly watched: Watched;
  readonly fromBlock: bigint;
  readonly lastHash: Hex | undefined;
  readonly confirmed: bigint;
  readonly width: QuestionWidth;
  readonly isClosed: () => boolean;
};

/** What one node tells of some blocks, and what the contracts had deposited at the end of them, in wei. */
export type ReadStretch = {
  readonly fromBlock: bigint;
  readonly events: readonly ChainEvent[];
  readonly end: { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint };
  readonly deposits: ReadonlyMap<Address, bigint>;
};

/** How often a stretch is read when the chain is reorganised meanwhile. */
const maxReadings = 3;

/** Blocks by number and hash that were on the chain before the events up to them were read. */
type SeenBlock = { readonly number: bigint; readonly hash: Hex };

/**
 * Reads blocks from one node until there is one whose state it still has, which says what the contracts had
 * deposited. `nothing` when no new block is confirmed. Rejects with `OffChain` when the block before them is another
 * one there, and when the node does not answer or no longer has such a state. The chain had all of it at one moment:
 * what was read while it was reorganised is read again.
 */
export async function readStretch(node: ChainClient, asked: StretchAsked): Promise<ReadStretch | 'nothing'> {
  const { fromBlock, confirmed, lastHash } = asked;
  const last = lastHash === undefined ? [] : [{ number: fromBlock - 1n, hash: lastHash }];
  for (let left = maxReadings; left > 0; left -= 1) {
    if (!(await areThere(node, last))) throw new OffChain(fromBlock - 1n);
    if (fromBlock > confirmed) return 'nothing';
    const { seen, stretch } = await readOnce(node, asked);
    // The events of one chain and the deposit of another can agree: what was taken out mostly comes again.
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

/** A relay is watched by itself: what happens to balances is told by no event of the EntryPoint. */
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

/** Whether a block is the chain's; one that the node does not have yet may become it. */
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
