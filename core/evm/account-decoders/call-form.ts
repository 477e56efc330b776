import type { Hex } from 'viem';
import type { CalldataWalker } from './calldata-walker.ts';
import type { InnerCall } from './decoder.ts';

/** A method of an account that makes calls: its selector and how its arguments are read. */
export type CallForm = {
  readonly selector: Hex;
  /** Reads all arguments to the end. Throws `NotUnderstoodError`. */
  readonly read: (walker: CalldataWalker) => InnerCall[];
};
