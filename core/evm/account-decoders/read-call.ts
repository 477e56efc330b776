import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, zeroAddress } from 'viem';
import { type CalldataWalker, NotUnderstoodError, selectorOf } from './calldata-walker.ts';
import type { InnerCall } from './decoder.ts';

/** Never used: the lists have equal length. */
const noData = Buffer.alloc(0);

/** Reads `(address[] targets, uint256[] values, bytes[] data)` to the end; one value per call. */
export function readBatchWithValues(walker: CalldataWalker): InnerCall[] {
  const { targets, values, data } = readThreeLists(walker);
  requireEven(targets.length, values.length, data.length);
  return targets.map((target, index) => toInnerCall(target, values[index] ?? 0n, data[index] ?? noData));
}

/**
 * Like `readBatchWithValues`, for an account that reads an empty list of values as "no call has a value" (SimpleAccount
 * 0.7).
 */
export function readBatchWithOptionalValues(walker: CalldataWalker): InnerCall[] {
  const { targets, values, data } = readThreeLists(walker);
  requireEven(targets.length, values.length === 0 ? targets.length : values.length, data.length);
  return targets.map((target, index) => toInnerCall(target, values[index] ?? 0n, data[index] ?? noData));
}

/** Reads `(address to, uint256 value, bytes data, uint8 operation)` to the end. */
export function readCallWithOperation(walker: CalldataWalker) {
  const target = walker.address();
  const value = walker.uint();
  const dataAt = walker.offset();
  const operation = walker.uint();
  walker.reach(dataAt);
  const data = walker.bytes();
  walker.end();
  return { target, value, data, operation };
}

/** Reads `(address[] targets, bytes[] data)` to the end: calls without value (SimpleAccount 0.6). */
export function readBatchWithoutValues(walker: CalldataWalker): InnerCall[] {
  const targetsAt = walker.offset();
  const dataAt = walker.offset();
  walker.reach(targetsAt);
  const targets = readList(walker, () => walker.address());
  walker.reach(dataAt);
  const data = readDynamicList(walker, () => walker.bytes());
  walker.end();
  requireEven(targets.length, data.length);
  return targets.map((target, index) => toInnerCall(target, 0n, data[index] ?? noData));
}

/** Reads `((address target, uint256 value, bytes data)[] calls)` to the end. */
export function readBatchOfTuples(walker: CalldataWalker): InnerCall[] {
  const callsAt = walker.offset();
  walker.reach(callsAt);
  const calls = readCallTuples(walker);
  walker.end();
  return calls;
}

/** Reads the list `(address target, uint256 value, bytes data)[]` at the current position. */
export function readCallTuples(walker: CalldataWalker): InnerCall[] {
  const calls = readDynamicList(walker, () => readCallTuple(walker));
  requireEven(calls.length);
  return calls;
}

/** For accounts that treat the zero address as themselves: throws if a call has the zero address as its target. */
export function requireTargets(calls: InnerCall[]): InnerCall[] {
  if (calls.some(({ target }) => target === zeroAddress)) {
    throw new NotUnderstoodError('a call has no target, so the account would call itself');
  }
  return calls;
}

function readThreeLists(walker: CalldataWalker) {
  const targetsAt = walker.offset();
  const valuesAt = walker.offset();
  const dataAt = walker.offset();
  walker.reach(targetsAt);
  const targets = readList(walker, () => walker.address());
  walker.reach(valuesAt);
  const values = readList(walker, () => walker.uint());
  walker.reach(dataAt);
  const data = readDynamicList(walker, () => walker.bytes());
  walker.end();
  return { targets, values, data };
}

/** Elements of one word each. */
export function readList<T>(walker: CalldataWalker, readElement: () => T): T[] {
  return Array.from({ length: walker.count(maxInnerCalls) }, readElement);
}

/** Elements of varying size: first all offsets, counted from the first of them, then the elements in order. */
export function readDynamicList<T>(walker: CalldataWalker, readElement: () => T): T[] {
  const count = walker.count(maxInnerCalls);
  const base = walker.position();
  const offsets = Array.from({ length: count }, () => walker.offset());
  return offsets.map((offset) => {
    walker.reach(base + offset);
    return readElement();
  });
}

function requireEven(count: number, ...others: readonly number[]): void {
  if (others.some((other) => other !== count)) {
    throw new NotUnderstoodError('the lists of targets, values and data are not equally long');
  }
  if (count === 0) throw new NotUnderstoodError('the batch is empty');
}

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

/** A call with its data. */
export function toInnerCall(target: Address, value: bigint, data: Buffer): InnerCall {
  const selector = selectorOf(data);
  return { target, value, data: `0x${data.toString('hex')}`, ...omitAbsent({ selector }) };
}
