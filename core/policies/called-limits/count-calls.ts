import type { Hex } from 'viem';
import type { AskedCall } from '../call-rules/asked-call.ts';
import type { CalledLimit, CalledLimits } from './called-limits.ts';

/** How many calls an operation makes that each limit of a contract or method counts, by its key; 0 included. */
export type CalledCounts = ReadonlyMap<string, number>;

const noCalls: CalledCounts = new Map();

/**
 * Counts the calls of an operation for limits of contracts and methods, rather too many than too few:
 *
 * - a call of the contract by a selector that its ABI does not have, or by none, may do anything, and counts for each method;
 * - a call that is data of another one (of the contract's own `multicall`, of a Multicall3, of a batch within a batch) has its
 *   selector in it as four bytes: each such place counts, where the data goes to the contract or has its address in it.
 *
 * What was not recorded of a past decision's data is not searched.
 */
export function countCalls(limits: CalledLimits, calls: readonly AskedCall[]): CalledCounts {
  if (limits.size === 0) return noCalls;
  const counts = new Map([...limits.keys()].map((key) => [key, 0]));
  for (const call of calls) {
    const target = call.target.toLowerCase();
    for (const [key, limit] of limits) {
      if (limit.contract === target && isCounted(limit, call.selector)) add(counts, key, 1);
    }
    if (call.content !== undefined) countNested(limits, { target, data: call.content.data }, counts);
  }
  return counts;
}

function isCounted({ selectors, known }: CalledLimit, selector: Hex | undefined): boolean {
  return selectors === undefined || selector === undefined || selectors.has(selector) || !known.has(selector);
}

function countNested(
  limits: CalledLimits,
  { target, data }: { readonly target: string; readonly data: Hex },
  counts: Map<string, number>,
): void {
  const keysOf = new Map<string, string[]>();
  for (const [key, { contract, selectors, known }] of limits) {
    if (contract !== target && !data.includes(contract.slice(2))) continue;
    for (const selector of selectors ?? known) {
      const text = selector.slice(2);
      keysOf.set(text, [...(keysOf.get(text) ?? []), key]);
    }
  }
  if (keysOf.size === 0) return;
  for (let at = firstArgument; at + selectorLength <= data.length; at += 2) {
    for (const key of keysOf.get(data.slice(at, at + selectorLength)) ?? []) add(counts, key, 1);
  }
}

/** Hex digits of a selector, and where the data behind the call's own begins. */
const selectorLength = 8;
const firstArgument = 2 + selectorLength;

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}
