import type { Address } from 'viem';
import type { FeeView } from './fee-view.ts';

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
