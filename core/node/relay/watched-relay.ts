import type { Address, Hex } from 'viem';
import type { BundledEvent } from './executor-transaction.ts';

/** The relay and its EntryPoint. */
export type RelayPlace = { readonly entryPoint: Address; readonly contract: Address; readonly relay: WatchedRelay };

/** The wallets of a bundler that carry operations without a paymaster, and what is known of these operations. */
export type WatchedRelay = {
  readonly executors: readonly Address[];
  /** Hashes of operations that were accepted for relaying and may still land. */
  readonly openOperations: () => Promise<readonly Hex[]>;
  /** Of the operations in executors' bundles, the hashes of those accepted for relaying. */
  readonly ourOperations: (bundled: readonly BundledEvent[]) => Promise<ReadonlySet<Hex>>;
};
