import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';

/** One call that an account would make. `selector` is absent where `data`, which is in lower case, is empty. */
export type InnerCall = {
  readonly target: Address;
  /** Wei. */
  readonly value: bigint;
  readonly selector?: Hex;
  readonly data: Hex;
};

/** The inner calls, or in plain words why the call data was not understood. */
export type Decoded =
  | { readonly understood: true; readonly calls: readonly InnerCall[] }
  | { readonly understood: false; readonly why: string };

/**
 * Reads the calls out of an account's `callData`. Pure, budgeted (100 calls, 64 KiB, the sum of the inner data never
 * longer than the call data) and strict: canonical ABI encoding only, no delegate calls, no nesting.
 */
export type AccountDecoder = {
  /** `smartAccountInfo.name` and `.version`, e.g. `BICONOMY` `2.0.0`. */
  readonly name: string;
  readonly version: string;
  decode(callData: Hex, entryPointVersion: EntryPointVersion): Decoded;
};
