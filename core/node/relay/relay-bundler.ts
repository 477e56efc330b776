import type { Address } from 'viem';

/**
 * What a bundler said of an operation that it was given. `taken`: it has it, perhaps already. `refused`: it does not take the operation as it
 * is, with its JSON-RPC code and words. `away`: it could not be reached, so it does not have the operation by this try. `unknown`: it did
 * not answer, or not about the operation; it may have it.
 */
export type HandedOver =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  | { readonly kind: 'away'; readonly cause: unknown }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** A bundler that takes operations without fees. Giving it the same operation again changes nothing. Never rejects. */
export type RelayBundler = {
  handOver(given: {
    readonly operationJson: string;
    readonly entryPoint: Address;
    readonly userOperationHash: string;
  }): Promise<HandedOver>;
  /** What is wrong with it, in words; undefined while nothing is known to be. */
  fault(): string | undefined;
};
