import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import { type CalldataWalker, selectorOf } from './calldata-walker.ts';
import type { InnerCall } from './decoder.ts';

/** Most bytes of `callData` that are read. */
export const maxCallData = 65_536;
/** Most calls in one batch. */
export const maxInnerCalls = 100;

/** Reads `(address target, uint256 value, bytes data)` to the end. */
export function readSingleCall(walker: CalldataWalker): InnerCall[] {
  const call = readCallTuple(walker);
  walker.end();
  return [call];
}

/** Reads the tuple `(address target, uint256 value, bytes data)` at the current position. */
export function readCallTuple(walker: CalldataWalker): InnerCall {
  const base = walker.position();
  const target = walker.address();
  const value = walker.uint();
  const dataAt = walker.offset();
  walker.reach(base + dataAt);
  return toInnerCall(target, value, walker.bytes());
}

/** A call with its data; throws a `NotUnderstoodError` for data that is too short to name a method. */
export function toInnerCall(target: Address, value: bigint, data: Buffer): InnerCall {
  const selector = selectorOf(data);
  return { target, value, data: `0x${data.toString('hex')}`, ...omitAbsent({ selector }) };
}
