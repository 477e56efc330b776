import type { Hex } from 'viem';
import type { AskedCall } from '../call-rules/call-rules.ts';

/** Which calls a limit of a contract or method counts. Addresses and selectors in lower case. */
export type CalledLimit = {
  readonly contract: string;
  /** Of the method and all its overloads that the limit names; absent for the whole contract. */
  readonly selectors?: ReadonlySet<Hex>;
  /** All state-changing methods of the contract; limits of all policies share one set of them. */
  readonly known: ReadonlySet<Hex>;
  /** Why no one can tell which calls they are: then no call of the contract is sponsored. */
  readonly broken?: string;
};

/** The limits of a policy that are of contracts and methods, by the keys of `called-key.ts`. */
export type CalledLimits = ReadonlyMap<string, CalledLimit>;

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
  const contracts = new Set([...limits.values()].map(({ contract }) => contract));
  const isSearched = new Map([...contracts].map((one) => [one, one === target || data.includes(one.slice(2))]));
  if (![...isSearched.values()].includes(true)) return;
  const found = new Map<Slots, number>();
  const places = placesOf(limits);
  // Four bytes that end at each byte behind the call's own selector, as one number.
  let word = 0;
  for (const [index, byte] of Buffer.from(data.slice(firstArgument), 'hex').entries()) {
    word = (word << 8) | byte;
    const at = index < selectorBytes - 1 ? undefined : places.get(word);
    if (at !== undefined) found.set(at, (found.get(at) ?? 0) + 1);
  }
  for (const [at, times] of found) {
    for (const { key, contract } of at) if (isSearched.get(contract) === true) add(counts, key, times);
  }
}

const selectorBytes = 4;
/** Where the data behind a call's own selector begins, in hex digits with their `0x`. */
const firstArgument = 2 + 2 * selectorBytes;

/** The limits that count one selector. Selectors of which the same limits count share one list. */
type Slots = readonly { readonly key: string; readonly contract: string }[];

/** By the limits that they are of: these are read once, and their calls counted with each request. */
const knownPlaces = new WeakMap<CalledLimits, ReadonlyMap<number, Slots>>();

/** Which limits count each selector, by its four bytes as one number. To be made when the limits are read: it takes milliseconds. */
export function placesOf(limits: CalledLimits): ReadonlyMap<number, Slots> {
  const known = knownPlaces.get(limits);
  if (known !== undefined) return known;
  const places = new Map<number, Slots>();
  for (const [key, { contract, selectors, known: all }] of limits) {
    // What a list becomes with this limit in it, so that each is made once.
    const joined = new Map<Slots | undefined, Slots>();
    for (const selector of selectors ?? all) {
      const number = Number.parseInt(selector, 16) | 0;
      const before = places.get(number);
      const after = joined.get(before) ?? [...(before ?? []), { key, contract }];
      joined.set(before, after);
      places.set(number, after);
    }
  }
  knownPlaces.set(limits, places);
  return places;
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

/** The most of each, of operations of which only one can land: those that were counted, without what none of them calls. */
export function joinCalls(one: CalledCounts, other: CalledCounts): CalledCounts {
  const joined = new Map(one);
  for (const [key, calls] of other) {
    if (calls > (joined.get(key) ?? 0)) joined.set(key, calls);
  }
  return joined;
}
