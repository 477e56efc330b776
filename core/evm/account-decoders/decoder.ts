import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { AttributionSuffix } from './attribution-suffix.ts';
import type { CalldataWalker } from './calldata-walker.ts';

/** One call that an account would make. `data` is in lower case; `selector` is absent when it has fewer than four bytes. */
export type InnerCall = {
  readonly target: Address;
  /** Wei. */
  readonly value: bigint;
  readonly selector?: Hex;
  readonly data: Hex;
};

/** The inner calls of call data, and the suffix after the account's own arguments, if any. */
export type ReadCalls = { readonly calls: readonly InnerCall[]; readonly attribution?: AttributionSuffix };

/**
 * The inner calls, or why the call data was not understood, in plain words. `knowsMethod`: it begins with a method of this
 * account, so the reason is about its arguments.
 */
export type Decoded =
  | ({ readonly understood: true } & ReadCalls)
  | { readonly understood: false; readonly why: string; readonly knowsMethod?: true };

/**
 * Reads the calls from an account's `callData`. Pure, bounded (100 calls, 64 KiB, inner data never longer than the call
 * data) and strict: canonical ABI encoding only, no delegate calls, no nesting. One suffix that accounts ignore may follow
 * the arguments: ERC-8021's, or one of the account's makers.
 */
export type AccountDecoder = {
  /** `smartAccountInfo.name` and `.version`, e.g. `BICONOMY` `2.0.0`. */
  readonly name: string;
  readonly version: string;
  readonly entryPointVersions: readonly EntryPointVersion[];
  /** The methods that make calls, for each EntryPoint that it works with. */
  readonly forms: CallForms;
  decode(callData: Hex, entryPointVersion: EntryPointVersion): Decoded;
};

/** A method of an account that makes calls: its selector and how to read its arguments. */
export type CallForm = {
  readonly selector: Hex;
  /** Reads all arguments to the end. Throws `NotUnderstoodError`. */
  readonly read: (walker: CalldataWalker) => InnerCall[];
  /** Suffixes of this account's own makers that may follow the arguments, in addition to ERC-8021. */
  readonly findSuffixes?: (data: Buffer) => readonly AttributionSuffix[];
};

/** The methods of an account kind that make calls, per supported EntryPoint version. */
export type CallForms = Readonly<Partial<Record<EntryPointVersion, readonly CallForm[]>>>;
