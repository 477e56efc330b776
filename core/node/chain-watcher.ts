import type { Address } from 'viem';
import type { FeeView } from './read-fees.ts';

/** By how much our clock and the newest block may differ where the configuration does not say, in seconds. */
const defaultMaxClockDifference = 300;

/**
 * Why nothing may be signed by these two clocks, in words; Unix seconds. Either ours is wrong, and with it the end of every
 * signature, or the chain stands still.
 */
export function clockFault(
  now: number,
  headTime: number,
  maxDifference: number = defaultMaxClockDifference,
): string | undefined {
  const difference = now - headTime;
  if (Math.abs(difference) <= maxDifference) return undefined;
  const way = difference > 0 ? 'older' : 'newer';
  return `the newest block is ${Math.abs(difference)} seconds ${way} than this machine's clock`;
}

/** What the watcher saw last. Amounts in wei, times in Unix seconds. */
export type ChainView = {
  readonly headTime: number;
  readonly deposits: ReadonlyMap<Address, bigint>;
  /** Balances of the wallets that relay, in wei. */
  readonly executors?: ReadonlyMap<Address, bigint>;
  /** What gas costs; absent when the node does not tell, or has not for too long. */
  readonly fees?: FeeView;
};

/** Keeps the ledger in step with one chain and knows its head and the contracts' deposits. */
export type ChainWatcher = {
  /** What was seen last, or undefined when that is too long ago. */
  view(): ChainView | undefined;
  /** Why nothing may be signed for a paymaster contract, in words: its ledger is not in step with the chain. */
  faultOf(contract: Address): string | undefined;
  /** Why this chain is not ready, in words; undefined when all is well. */
  fault(): string | undefined;
  /** Resolves when the ledger has all that was confirmed on the chain when this was called. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};
