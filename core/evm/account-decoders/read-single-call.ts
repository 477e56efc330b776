import type { CalldataWalker } from './calldata-walker.ts';
import type { InnerCall } from './decoder.ts';
import { toInnerCall } from './to-inner-call.ts';

/** Reads `(address target, uint256 value, bytes data)` to the end. */
export function readSingleCall(walker: CalldataWalker): InnerCall[] {
  const call = readCallTuple(walker);
  walker.end();
  return [call];
}

/** Reads the tuple `(address target, uint256 value, bytes data)` wherever the walk is. */
export function readCallTuple(walker: CalldataWalker): InnerCall {
  const base = walker.position();
  const target = walker.address();
  const value = walker.uint();
  const dataAt = walker.offset();
  walker.reach(base + dataAt);
  return toInnerCall(target, value, walker.bytes());
}
