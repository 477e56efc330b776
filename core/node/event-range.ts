import { type Address, BaseError, type Hex, isAddressEqual } from 'viem';
import type { EventPosition } from './chain-event.ts';
import type { WatchedContract } from './followed-chain.ts';

/** Selects events: those of these paymaster contracts at this EntryPoint, in these blocks (both ends included). */
export type EventRange = {
  readonly entryPoint: Address;
  readonly contracts: readonly WatchedContract[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** For a range of one block: asks for exactly that block. */
  readonly blockHash?: Hex;
};

/**
 * The filter that all log queries of a range share, except for the address. Logs that lack a part of their event are
 * dropped.
 */
export function within({ fromBlock, toBlock, blockHash }: EventRange) {
  const strict = true;
  return blockHash === undefined ? ({ fromBlock, toBlock, strict } as const) : ({ blockHash, strict } as const);
}

/**
 * Logs that are on the chain, without those that a reorg removed (`removed`). Throws for a log that was not requested: such
 * a node ignores the filter and may omit other logs.
 */
export function onChain<
  L extends { readonly removed: boolean; readonly blockNumber: bigint; readonly address: Address },
>(logs: readonly L[], { fromBlock, toBlock }: EventRange, of: Address): readonly L[] {
  const strange = logs.find(
    ({ blockNumber, address }) => blockNumber < fromBlock || blockNumber > toBlock || !isAddressEqual(address, of),
  );
  if (strange !== undefined) throw new BaseError('The node returned a log that was not requested.');
  return logs.filter(({ removed }) => !removed);
}

export function placeOf(log: { blockNumber: bigint; transactionHash: Hex; logIndex: number }): EventPosition {
  return { blockNumber: log.blockNumber, txHash: log.transactionHash, logIndex: log.logIndex };
}

/** Compares positions, to sort in chain order. */
export function inChainOrder(a: EventPosition, b: EventPosition): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1;
  return a.logIndex - b.logIndex;
}

/** Thrown when a block in the ledger is not on the node's chain. */
export class OffChain extends Error {
  override readonly name = 'OffChain';
  readonly blockNumber: bigint;

  constructor(blockNumber: bigint) {
    super(`Block ${blockNumber}, which is in the ledger, is no longer on the chain.`);
    this.blockNumber = blockNumber;
  }
}

/** Most blocks in one `eth_getLogs`. */
const widest = 2_000n;

/** How many blocks to ask a node about at once: halved when the node says there were too many, then growing again. */
export type QuestionWidth = {
  blocks(): bigint;
  /** False if the range cannot shrink further. */
  shrink(): boolean;
  grow(): void;
};

export function createQuestionWidth(): QuestionWidth {
  let width = widest;
  return {
    blocks: () => width,
    shrink: () => {
      if (width === 1n) return false;
      width /= 2n;
      return true;
    },
    grow: () => {
      width = width * 2n > widest ? widest : width * 2n;
    },
  };
}
