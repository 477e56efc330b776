import { createHash } from 'node:crypto';
import type { Hex } from 'viem';
import type { PolicyLimit, PolicyMethodGas } from '../domain/policy.ts';
import type { AbiFunction, ContractMethods } from '../evm/abi/parse-abi.ts';
import type { AskedCall, CallRuleProblem } from './call-rules/call-rules.ts';

/** The contracts that limits name, by lower-case address; unregistered ones are missing. */
export type CalledContracts = ReadonlyMap<string, ContractMethods>;

/** Most methods that an error lists, and characters of one. */
const maxNamed = 20;
const maxNamedLength = 128;
const noSelectors: CalledLimit['known'] = new Set();

/**
 * Resolves which calls a policy's limits and caps on gas mean, against the currently registered contracts. A method is named by
 * its signature, or by a name that includes all its overloads, as in a whitelist.
 */
export function readCalledLimits(
  limits: readonly PolicyLimit[],
  contracts: CalledContracts,
  methodGas: readonly PolicyMethodGas[] = [],
): { readonly limits: CalledLimits; readonly problems: readonly CallRuleProblem[] } {
  const read = new Map<string, CalledLimit>();
  const problems: CallRuleProblem[] = [];
  const named = { limits, methodGas };
  const all = Object.entries(named).flatMap(([list, items]) =>
    items.map((item, index) => ({ item, place: `${list}[${index}]` })),
  );
  for (const { item: limit, place } of all) {
    const key = calledKey(limit);
    if (key === undefined || limit.contract === undefined) continue;
    const { contract: address, method } = limit;
    const contract = address.toLowerCase();
    const { methods, selectors: known = noSelectors } = contracts.get(contract) ?? {};
    const meant = method === undefined ? undefined : methods?.filter((one) => isNamed(one, method));
    const problem = problemOf(methods, meant, address);
    if (problem === undefined) {
      const selectors = meant === undefined ? {} : { selectors: new Set(meant.map(({ selector }) => selector)) };
      read.set(key, { contract, known, ...selectors });
    } else {
      const field = `${place}.${problem.field}`;
      problems.push({ field, requirement: problem.requirement, contract: address });
      read.set(key, { contract, known, broken: `${field} ${problem.requirement}` });
    }
  }
  return { limits: read, problems };
}

function isNamed({ name, signature }: AbiFunction, text: string): boolean {
  return name === text || signature === text;
}

function problemOf(
  methods: readonly AbiFunction[] | undefined,
  named: readonly AbiFunction[] | undefined,
  contract: string,
): { readonly field: string; readonly requirement: string } | undefined {
  if (methods === undefined) {
    return {
      field: 'contract',
      requirement: `must be a registered contract: register ${contract}, or remove the limit`,
    };
  }
  if (named === undefined || named.length > 0) return undefined;
  const names = [...new Set(methods.map(({ name }) => name.slice(0, maxNamedLength)))].slice(0, maxNamed).join(', ');
  return {
    field: 'method',
    requirement: `must be a state-changing method of the registered ABI: ${names === '' ? 'it has none' : names}`,
  };
}

/** Length of a {@link calledKey}. */
const calledKeyLength = 40;

type Named = Pick<PolicyLimit, 'contract' | 'method'>;

/** Limits are parsed once but looked up with each request. */
const known = new WeakMap<Named, string>();

/**
 * The key for counting a limit's calls: those of one contract, or of one method as the limit names it. Undefined for a
 * limit on all operations.
 */
export function calledKey(limit: Named): string | undefined {
  const { contract, method = '' } = limit;
  if (contract === undefined) return undefined;
  const kept = known.get(limit);
  if (kept !== undefined) return kept;
  const digest = createHash('sha256').update(JSON.stringify([contract.toLowerCase(), method]));
  const key = digest.digest('hex').slice(0, calledKeyLength);
  known.set(limit, key);
  return key;
}

/** The calls that a limit on a contract or method counts. Addresses and selectors in lower case. */
type CalledLimit = {
  readonly contract: string;
  /** Selectors of the method and its overloads that the limit names; absent for the whole contract. */
  readonly selectors?: ReadonlySet<Hex>;
  /** All state-changing methods of the contract; limits of all policies share one set. */
  readonly known: ReadonlySet<Hex>;
  /** Why the calls cannot be determined: then no call of the contract is sponsored. */
  readonly broken?: string;
};

/** A policy's limits on contracts and methods, by their {@link calledKey}. */
export type CalledLimits = ReadonlyMap<string, CalledLimit>;

/** How many calls of an operation each limit on a contract or method counts, by its key; 0 included. */
export type CalledCounts = ReadonlyMap<string, number>;

const noCalls: CalledCounts = new Map();

/**
 * Counts an operation's calls for limits on contracts and methods. It errs on the side of over-counting:
 *
 * - a call of the contract with a selector that is not in its ABI, or without one, may do anything, and counts for each
 *   method;
 * - a call may be nested in the data of another one (the contract's own `multicall`, a Multicall3, a batch within a batch).
 *   Each occurrence of a selector in the data counts, if the data goes to the contract or contains its address.
 *
 * Data that a past decision did not record is not searched.
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
  // The last four bytes of a window that moves through the data, as one number.
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
/** Where the data after a call's selector begins, in hex digits including `0x`. */
const firstArgument = 2 + 2 * selectorBytes;

/** The limits that count one selector. Selectors with the same limits share one list. */
type Slots = readonly { readonly key: string; readonly contract: string }[];

/** Cached by the limits, which are parsed once, while calls are counted with each request. */
const knownPlaces = new WeakMap<CalledLimits, ReadonlyMap<number, Slots>>();

/**
 * The limits that count each selector, whose four bytes are read as one number. Computed when limits are parsed, since it
 * takes milliseconds.
 */
export function placesOf(limits: CalledLimits): ReadonlyMap<number, Slots> {
  const known = knownPlaces.get(limits);
  if (known !== undefined) return known;
  const places = new Map<number, Slots>();
  for (const [key, { contract, selectors, known: all }] of limits) {
    // The list that results from adding this limit to another list, so that equal lists are shared.
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

/** The highest count of each limit over operations of which only one can land, without limits that none of them touches. */
export function joinCalls(one: CalledCounts, other: CalledCounts): CalledCounts {
  const joined = new Map(one);
  for (const [key, calls] of other) {
    if (calls > (joined.get(key) ?? 0)) joined.set(key, calls);
  }
  return joined;
}
