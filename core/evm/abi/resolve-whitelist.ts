import type { Hex } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { AbiFunction } from './parse-abi.ts';

/** Most characters of the caller's text that an error repeats. */
const maxNamed = 20;
const maxNamedLength = 128;

/**
 * A whitelist without duplicates, its selectors, and per selector the bytes that its arguments always take (null if that
 * depends on their values). An empty whitelist allows nothing.
 */
type Whitelist = {
  readonly methods: readonly string[];
  readonly selectors: readonly Hex[];
  readonly argumentBytes: readonly (number | null)[];
};

/**
 * Finds the whitelisted methods among the state-changing functions of an ABI. A name selects all its overloads, a full
 * canonical signature one. Refuses with `METHODS_NOT_IN_ABI`, naming the missing ones.
 */
export function resolveWhitelist(
  functions: readonly AbiFunction[],
  whitelistedMethods: readonly string[],
): Result<Whitelist> {
  const selectorsOf = new Map<string, Hex[]>();
  for (const { name, signature, selector } of functions) {
    selectorsOf.set(signature, [selector]);
    selectorsOf.set(name, [...(selectorsOf.get(name) ?? []), selector]);
  }
  const methods = [...new Set(whitelistedMethods)];
  const unknown = methods.filter((method) => !selectorsOf.has(method));
  if (unknown.length > 0) return methodsNotInAbi(unknown);
  const selectors = [...new Set(methods.flatMap((method) => selectorsOf.get(method) ?? []))];
  return accept({ methods, selectors, argumentBytes: argumentBytesOf(functions, selectors) });
}

/** Per selector, the bytes that its arguments always take; null if that depends on their values. */
export function argumentBytesOf(functions: readonly AbiFunction[], selectors: readonly Hex[]): (number | null)[] {
  const signatures = new Map(functions.map(({ selector, signature }) => [selector, signature]));
  return selectors.map((selector) => fixedArgumentBytes(signatures.get(selector) ?? '(bytes)') ?? null);
}

function methodsNotInAbi(unknown: readonly string[]): ReturnType<typeof refuse> {
  const named = unknown.slice(0, maxNamed).map((method) => method.slice(0, maxNamedLength));
  const methods = [...named, ...(unknown.length > maxNamed ? ['…'] : [])].join(', ');
  return refuse({
    reason: 'METHODS_NOT_IN_ABI',
    message: `whitelistedMethods has methods that are not in the ABI: ${methods}`,
    field: 'whitelistedMethods',
    details: { methods },
  });
}

const wordBytes = 32;
const dynamicType = /^(string|bytes)$/;

/**
 * How many bytes the arguments of a method always take, given its canonical signature (`transfer(address,uint256)`: 64).
 * Undefined if that depends on the values: `bytes`, `string`, dynamic lists.
 */
export function fixedArgumentBytes(signature: string): number | undefined {
  const words = wordsOf(signature.slice(signature.indexOf('(')));
  return words === undefined ? undefined : words * wordBytes;
}

/** Words of a type, with all its components or elements. */
function wordsOf(type: string): number | undefined {
  const array = /^(.*)\[(\d*)\]$/s.exec(type);
  if (array !== null) {
    const [, element = '', length] = array;
    const words = length === '' ? undefined : wordsOf(element);
    return words === undefined ? undefined : words * Number(length);
  }
  if (!type.startsWith('(')) return dynamicType.test(type) ? undefined : 1;
  let words = 0;
  for (const component of componentsOf(type.slice(1, -1))) {
    const own = wordsOf(component);
    if (own === undefined) return undefined;
    words += own;
  }
  return words;
}

/** Splits types at the commas of the outermost level. */
function componentsOf(types: string): readonly string[] {
  const components: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < types.length; index++) {
    if (types[index] === '(') depth += 1;
    if (types[index] === ')') depth -= 1;
    if (types[index] === ',' && depth === 0) {
      components.push(types.slice(start, index));
      start = index + 1;
    }
  }
  return types === '' ? [] : [...components, types.slice(start)];
}
