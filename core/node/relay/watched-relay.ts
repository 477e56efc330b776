import type { Address, Hex } from 'viem';
import type { BundledEvent } from './executor-transaction.ts';

/**
 * A bundler's response to an operation. `taken`: it has the operation, perhaps from before. `refused`: it rejects the
 * operation, with its JSON-RPC code and message. `away`: it could not be reached, or failed and does not have the
 * operation: this attempt did not deliver it. `unknown`: it did not answer or does not say; it may have it.
 */
export type HandedOver =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  | { readonly kind: 'away'; readonly cause: unknown }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** What the bundler's wallets may pay for an operation, in wei, and until when, in Unix seconds: as its hold says. */
export type RelayTerms = { readonly maxCost: bigint; readonly validUntil: number };

/** A bundler that accepts operations without fees. Sending the same operation again changes nothing. Never rejects. */
export type RelayBundler = {
  /** Whether it has an operation, waiting, in a bundle or landed. Undefined while it does not say. */
  has(userOperationHash: string): Promise<boolean | undefined>;
  handOver(given: {
    readonly operationJson: string;
    readonly entryPoint: Address;
    readonly userOperationHash: string;
    readonly terms: RelayTerms;
  }): Promise<HandedOver>;
  /** Whether it counts an operation's `preVerificationGas`, or takes only operations that have none. */
  readonly preVerificationGas: 'counted' | 'none';
  /** What is wrong with it, in words; undefined if no problem is known. */
  fault(): string | undefined;
};

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
