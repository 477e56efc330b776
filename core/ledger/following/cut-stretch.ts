import { BaseError } from 'viem';
import type { ChainClient } from '../../node/chain-client.ts';
import type { ChainEvent } from '../../node/chain-event.ts';
import type { ConfirmedStretch } from '../posting/post-events.ts';

/** From how many events on a stretch is posted in pieces, each of so many or of one block with more. */
const eventsAtOnce = 50;
/** Questions to the node at once. */
const blocksAtOnce = 10;

/**
 * A stretch in pieces that are posted one after the other, each in a transaction of its own, so that other work of this process
 * and other processes get their turn in between. They end with a block, whose hash the node is asked for.
 *
 * @throws BaseError when the chain was reorganised since the stretch was read.
 */
export async function cutStretch(node: ChainClient, stretch: ConfirmedStretch): Promise<readonly ConfirmedStretch[]> {
  const { events, lastHash, nextBlock } = stretch;
  const parts = cutEvents(events);
  if (parts.length < 2) return [stretch];
  const cuts = parts.slice(1).map(([first]) => (first?.blockNumber ?? 0n) - 1n);
  const hashes: (typeof lastHash)[] = [];
  for (let first = 0; first < cuts.length; first += blocksAtOnce) {
    const some = cuts.slice(first, first + blocksAtOnce).map((blockNumber) => node.getBlock({ blockNumber }));
    for (const { hash } of await Promise.all(some)) hashes.push(hash);
  }
  // A node that still has the last block has those below it on the same chain.
  const end = await node.getBlock({ blockNumber: nextBlock - 1n });
  if (end.hash !== lastHash) throw new BaseError('The chain was reorganised while its events were read.');
  return parts.map((part, index) => ({
    ...stretch,
    events: part,
    watchBefore: index === 0 ? stretch.watchBefore : (cuts[index - 1] ?? 0n) + 1n,
    nextBlock: index === cuts.length ? nextBlock : (cuts[index] ?? 0n) + 1n,
    lastHash: hashes[index] ?? lastHash,
  }));
}

/** Events in parts of at least so many that begin with a new block. The last may be smaller. */
function cutEvents(events: readonly ChainEvent[]): readonly (readonly ChainEvent[])[] {
  const parts: ChainEvent[][] = [];
  let part: ChainEvent[] = [];
  let highest = -1n;
  for (const event of events) {
    if (part.length >= eventsAtOnce && event.blockNumber > highest) {
      parts.push(part);
      part = [];
    }
    part.push(event);
    if (event.blockNumber > highest) highest = event.blockNumber;
  }
  return part.length === 0 ? parts : [...parts, part];
}
