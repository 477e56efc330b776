import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { AttributionSuffix } from './attribution-suffix.ts';
import type { CalldataWalker } from './calldata-walker.ts';

/** One call that an account would make. `selector` is absent where `data`, which is in lower case, is empty. */
export type InnerCall = {
  readonly target: Address;
  /** Wei. */
  readonly value: bigint;
  readonly selector?: Hex;
  readonly data: Hex;
};

/** What call data means: the inner calls, and the suffix behind the account's own arguments if there is one. */
export type ReadCalls = { readonly calls: readonly InnerCall[]; readonly attribution?: AttributionSuffix };

/** The inner calls, or in plain words why the call data was not understood. */
export type Decoded =
  | ({ readonly understood: true } & ReadCalls)
  | { readonly understood: false; readonly why: string };

/**
 * Reads the calls out of an account's `callData`. Pure, budgeted (100 calls, 64 KiB, the sum of the inner data never
 * longer than the call data) and strict: canonical ABI encoding only, no delegate calls, no nesting. One ERC-8021 suffix may
 * follow the arguments, which no account reads.
 */
export type AccountDecoder = {
  /** `smartAccountInfo.name` and `.version`, e.g. `BICONOMY` `2.0.0`. */
  readonly name: string;
  readonly version: string;
  decode(callData: Hex, entryPointVersion: EntryPointVersion): Decoded;
};

/** A method of an account that makes calls: its selector and how its arguments are read. */
export type CallForm = {
  readonly selector: Hex;
  /** Reads all arguments to the end. Throws `NotUnderstoodError`. */
  readonly read: (walker: CalldataWalker) => InnerCall[];
};
