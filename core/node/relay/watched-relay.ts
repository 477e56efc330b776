import type { Address, Hex } from 'viem';
import type { BundledEvent } from './executor-transaction.ts';

/** Which relay, and at which EntryPoint. */
export type RelayPlace = { readonly entryPoint: Address; readonly contract: Address; readonly relay: WatchedRelay };

/** The wallets of a bundler that carry operations without a paymaster, and what is known of these operations. */
export type WatchedRelay = {
  readonly executors: readonly Address[];
  /** Hashes of operations that were accepted for relaying and may still land. */
  readonly openOperations: () => Promise<readonly Hex[]>;
  /** The hashes of those that were accepted for relaying, of operations in bundles of the executors. */
  readonly ourOperations: (bundled: readonly BundledEvent[]) => Promise<ReadonlySet<Hex>>;
};
