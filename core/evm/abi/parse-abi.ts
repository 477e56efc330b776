import { maxAbiBytes, maxMethodParameters } from '@tollfree/contract/limits';
import { type Hex, keccak256, slice, stringToBytes } from 'viem';
import { inOneTurn } from '../../base/time/in-own-turn.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';

/** A function of an ABI: `signature` is canonical, `transfer(address,uint256)`; `selector` is lower case. */
export type AbiFunction = { readonly name: string; readonly signature: string; readonly selector: Hex };

const maxAbiDepth = 32;
const maxAbiItems = 2_000;

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]{0,255}$/;
const stateMutabilities: readonly unknown[] = ['pure', 'view', 'nonpayable', 'payable'];

/**
 * The state-changing functions of a JSON ABI (Solidity ABI specification, "JSON"), in its order. Refuses an ABI that is
 * invalid in any part, one in which two functions share a selector (a call could mean either), and one with a state-changing
 * function of more than `maxMethodParameters`.
 */
export function parseAbi(abi: string): Result<readonly AbiFunction[]> {
  return inOneTurn(parseAbiInSteps(abi));
}

/** Like `parseAbi`, one item of the ABI per step. */
export function* parseAbiInSteps(abi: string): Generator<void, Result<readonly AbiFunction[]>> {
  const items = parseItems(abi);
  if (items === undefined) return notAnAbi();
  const stateChanging: AbiFunction[] = [];
  const selectors = new Set<Hex>();
  for (const [index, item] of items.entries()) {
    yield;
    if (!isObject(item)) return notAnAbi({ item: String(index) });
    if (item.type !== undefined && item.type !== 'function') {
      if (!isOtherItem(item)) return notAnAbi({ item: String(index) });
      continue;
    }
    const read = readFunction(item);
    if (read === undefined) return notAnAbi({ item: String(index) });
    if (selectors.has(read.selector)) return notAnAbi({ item: String(index), sharedSelector: read.selector });
    selectors.add(read.selector);
    if (!isStateChanging(item)) continue;
    if (countParameters(item.inputs) > maxMethodParameters) return tooManyParameters(read.name);
    stateChanging.push(read);
  }
  return accept(stateChanging);
}

function notAnAbi(details?: Readonly<Record<string, string>>): ReturnType<typeof invalidField> {
  return invalidField('abi', 'must be a valid JSON ABI', details);
}

function tooManyParameters(name: string): ReturnType<typeof invalidField> {
  return invalidField(
    'abi',
    `must have at most ${maxMethodParameters} parameters in each method, counting those inside tuples and fixed-length arrays. Leave out ${name}, which has more`,
  );
}

function parseItems(abi: string): readonly unknown[] | undefined {
  if (Buffer.byteLength(abi) > maxAbiBytes || jsonDepth(abi, maxAbiDepth) > maxAbiDepth) return undefined;
  try {
    const items: unknown = JSON.parse(abi);
    return Array.isArray(items) && items.length <= maxAbiItems ? items : undefined;
  } catch {
    return undefined;
  }
}

function readFunction(item: Record<string, unknown>): AbiFunction | undefined {
  const { name, inputs = [], outputs = [] } = item;
  const types = canonicalAbiTypes(inputs);
  if (!isIdentifier(name) || types === undefined || !hasMutability(item)) return undefined;
  if (canonicalAbiTypes(outputs) === undefined) return undefined;
  const signature = `${name}${types}`;
  return { name, signature, selector: slice(keccak256(stringToBytes(signature)), 0, 4) };
}

/** Longest signature that a text repeats, in characters. */
const maxNamedSignature = 200;

/** A function of a registered ABI. */
export type NamedMethod = {
  readonly signature: string;
  /** It changes no state, so it cannot be whitelisted. */
  readonly isView: boolean;
};

/** All functions of a registered ABI by their selectors, also those that change no state. */
export function readNamedMethods(abi: string): ReadonlyMap<Hex, NamedMethod> {
  const items = JSON.parse(abi) as readonly Readonly<Record<string, unknown>>[];
  const named = items.flatMap((item): [Hex, NamedMethod][] => {
    const method = (item.type ?? 'function') === 'function' ? readFunction(item) : undefined;
    if (method === undefined || method.signature.length > maxNamedSignature) return [];
    return [[method.selector, { signature: method.signature, isView: !isStateChanging(item) }]];
  });
  return new Map(named);
}

/** Compilers before 0.6 write `constant` and `payable` instead of `stateMutability`. */
function hasMutability(item: Record<string, unknown>): boolean {
  if (item.stateMutability !== undefined) return stateMutabilities.includes(item.stateMutability);
  return isOptionalBoolean(item.constant) && isOptionalBoolean(item.payable);
}

/** The items of the functions that {@link parseAbi} found in the ABI, in the same order. */
export function stateChangingItems(abi: string): readonly Readonly<Record<string, unknown>>[] {
  const items = JSON.parse(abi) as readonly Readonly<Record<string, unknown>>[];
  return items.filter((item) => (item.type ?? 'function') === 'function' && isStateChanging(item));
}

function isStateChanging(item: Record<string, unknown>): boolean {
  if (item.stateMutability === undefined) return item.constant !== true;
  return item.stateMutability === 'nonpayable' || item.stateMutability === 'payable';
}

function isOtherItem(item: Record<string, unknown>): boolean {
  if (item.type === 'fallback' || item.type === 'receive') return true;
  const { inputs = [] } = item;
  if (canonicalAbiTypes(inputs) === undefined) return false;
  return item.type === 'constructor' || ((item.type === 'event' || item.type === 'error') && isIdentifier(item.name));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && identifier.test(value);
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

const lengthOfArray = /\[(\d+)\]/g;

/**
 * How many values the parameters of a method hold, including components of tuples and elements of fixed-size arrays. A
 * dynamic list counts as one element, an empty tuple as one value. Expects checked types (`canonicalAbiTypes`).
 */
export function countParameters(parameters: unknown): number {
  if (!Array.isArray(parameters)) return 0;
  let count = 0;
  for (const { type, components } of parameters as readonly JsonParameter[]) {
    let ofOne = Math.max(countParameters(components), 1);
    for (const [, length] of type.matchAll(lengthOfArray)) ofOne *= Number(length);
    count += ofOne;
  }
  return count;
}

type JsonParameter = { readonly type: string; readonly components?: unknown };

/** The state-changing functions of a contract in the order of its ABI, and their selectors. */
export type ContractMethods = { readonly methods: readonly AbiFunction[]; readonly selectors: ReadonlySet<Hex> };

export function toContractMethods(methods: readonly AbiFunction[]): ContractMethods {
  return { methods, selectors: new Set(methods.map(({ selector }) => selector)) };
}

/**
 * How deep the brackets of a JSON text nest, counted from its characters. Checked before parsing, because `JSON.parse` and
 * code that walks its result recurse. Stops counting above `limit`.
 */
export function jsonDepth(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length && deepest <= limit; index++) {
    const character = text.charCodeAt(index);
    if (inString) {
      if (character === backslash) index++;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (character === openBracket || character === openBrace) deepest = Math.max(deepest, ++depth);
    else if (character === closeBracket || character === closeBrace) depth--;
  }
  return deepest;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Longest `type` of a parameter, in characters: room for any elementary type with a dozen array dimensions. */
const maxTypeLength = 128;

const elementary = /^(?:address|bool|string|function|bytes(?:[1-9]|[12]\d|3[0-2])?)$/;
const integer = /^(u?int)([1-9]\d{0,2})?$/;
const fixedPoint = /^(u?fixed)(?:([1-9]\d{0,2})x([1-9]\d?))?$/;
const arrayOf = /^([a-z0-9]+)((?:\[(?:[1-9]\d{0,9})?\])*)$/;

/**
 * The type of an ABI parameter as written in a function signature (Solidity ABI specification, "Types"): tuples expanded,
 * `uint` as `uint256`. Undefined when the parameter is not valid. The depth of the JSON bounds the recursion.
 */
function canonicalAbiType(parameter: unknown): string | undefined {
  if (typeof parameter !== 'object' || parameter === null) return undefined;
  if (!('type' in parameter) || typeof parameter.type !== 'string' || parameter.type.length > maxTypeLength) {
    return undefined;
  }
  if ('name' in parameter && typeof parameter.name !== 'string') return undefined;
  const [, base, dimensions] = arrayOf.exec(parameter.type) ?? [];
  if (base === undefined || dimensions === undefined) return undefined;
  const element =
    base === 'tuple'
      ? canonicalAbiTypes('components' in parameter ? parameter.components : undefined)
      : canonicalElementaryType(base);
  return element === undefined ? undefined : `${element}${dimensions}`;
}

/** The types of a parameter list in parentheses, `(address,uint256)`, or undefined when one of them is not a type. */
export function canonicalAbiTypes(parameters: unknown): string | undefined {
  if (!Array.isArray(parameters)) return undefined;
  const types: string[] = [];
  for (const parameter of parameters) {
    const type = canonicalAbiType(parameter);
    if (type === undefined) return undefined;
    types.push(type);
  }
  return `(${types.join(',')})`;
}

function canonicalElementaryType(name: string): string | undefined {
  if (elementary.test(name)) return name;
  const [, integerKind, integerBits = '256'] = integer.exec(name) ?? [];
  if (integerKind !== undefined) return areWholeBytes(integerBits) ? `${integerKind}${integerBits}` : undefined;
  const [, fixedKind, fixedBits = '128', decimals = '18'] = fixedPoint.exec(name) ?? [];
  if (fixedKind === undefined || !areWholeBytes(fixedBits) || Number(decimals) > 80) return undefined;
  return `${fixedKind}${fixedBits}x${decimals}`;
}

function areWholeBytes(bits: string): boolean {
  return Number(bits) % 8 === 0 && Number(bits) <= 256;
}
