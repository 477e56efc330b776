import { type Address, BaseError, type Hex, isAddressEqual } from 'viem';
import type { EventPosition } from './chain-event.ts';
import type { WatchedContract } from './followed-chain.ts';

/** Which events: those of these paymaster contracts at this EntryPoint, in these blocks (both ends included). */
export type EventRange = {
  readonly entryPoint: Address;
  readonly contracts: readonly WatchedContract[];
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** Of a range of one block: asks for that very block. */
  readonly blockHash?: Hex;
};

/** What all log queries of a range share but whose logs they are. A log that lacks a part of its event is left out. */
export function within({ fromBlock, toBlock, blockHash }: EventRange) {
  const strict = true;
  return blockHash === undefined ? ({ fromBlock, toBlock, strict } as const) : ({ blockHash, strict } as const);
}

/**
 * Logs that are on the chain: those that a reorganisation has taken away (`removed`) are not. Throws for a log that was not
 * asked for: the node does not look where it is told to, and may leave others out.
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

/** Where a log stands on chain. */
export function placeOf(log: { blockNumber: bigint; transactionHash: Hex; logIndex: number }): EventPosition {
  return { blockNumber: log.blockNumber, txHash: log.transactionHash, logIndex: log.logIndex };
}

/** Compares places for a sort in chain order. */
export function inChainOrder(a: EventPosition, b: EventPosition): number {
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1;
  return a.logIndex - b.logIndex;
}

/** A block that is in the ledger is not on the chain as a node has it. */
export class OffChain extends Error {
  override readonly name = 'OffChain';
  readonly blockNumber: bigint;

  constructor(blockNumber: bigint) {
    super(`Block ${blockNumber}, which is in the ledger, is no longer on the chain.`);
    this.blockNumber = blockNumber;
  }
}

/** Blocks asked for in one `eth_getLogs`. */
const widest = 2_000n;

/** How many blocks a node is asked about at once: halved when it says that those were too many, and growing again. */
export type QuestionWidth = {
  blocks(): bigint;
  /** False when fewer cannot be asked for. */
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
