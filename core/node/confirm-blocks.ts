import { type Address, BaseError, type Hex } from 'viem';
import type { ChainClient } from './chain-client.ts';
import type { EventPosition } from './chain-event.ts';
import type { EventRange } from './event-range.ts';

/** Any value read from a log. */
type Reported = EventPosition & { readonly contract: Address };

/**
 * Reads the events of some blocks again, by block hash: a node that has the block returns all of it, and one that does not
 * yet returns an error, whereas a query by number returns an empty list. Rejects if the events differ from the ones
 * reported.
 */
export async function confirmBlocks(
  client: ChainClient,
  range: EventRange,
  {
    blocks,
    reported,
    read,
  }: {
    readonly blocks: ReadonlySet<bigint>;
    readonly reported: readonly Reported[];
    /** Reads the same kinds of events in another range. */
    readonly read: (range: EventRange) => Promise<readonly Reported[]>;
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

function namesOf(events: readonly Reported[]): string {
  const names = events.map(({ txHash, logIndex }): `${Hex}:${number}` => `${txHash}:${logIndex}`);
  return [...new Set(names)].sort().join();
}
