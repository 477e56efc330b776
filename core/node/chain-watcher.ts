import type { Address } from 'viem';
import type { FeeView } from './read-fees.ts';

/** Default for the largest difference between our clock and the newest block, in seconds. */
const defaultMaxClockDifference = 300;

/**
 * Why nothing may be signed given these two clocks, in words; Unix seconds. Either ours is wrong, and with it the expiry of
 * every signature, or the chain has stopped.
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

/** The watcher's latest readings. Amounts in wei, times in Unix seconds. */
export type ChainView = {
  readonly headTime: number;
  readonly deposits: ReadonlyMap<Address, bigint>;
  /** Balances of the relay wallets, in wei. */
  readonly executors?: ReadonlyMap<Address, bigint>;
  /** Current gas prices; absent when the node does not report them, or has not for too long. */
  readonly fees?: FeeView;
};

/** Keeps the ledger in step with one chain and knows its head and the contracts' deposits. */
export type ChainWatcher = {
  /** The latest readings, or undefined if they are too old. */
  view(): ChainView | undefined;
  /** Why nothing may be signed for a paymaster contract, in words: its ledger is not in step with the chain. */
  faultOf(contract: Address): string | undefined;
  /** Why this chain is not ready, in words; undefined if it is. */
  fault(): string | undefined;
  /** Resolves when the ledger includes everything that was confirmed on the chain at the time of the call. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};
