import { getAddress, type Hex, keccak256, size, slice, stringToBytes } from 'viem';
import { canonicalAbiTypes } from './parse-abi.ts';

/** Most revert data that is decoded, in bytes: a selector and 32 words. A longer error is shown by name only. */
export const maxRevertBytes = 4 + 32 * 32;
/** Most errors with the same selector that are named. */
const maxCandidates = 4;
/** Longest text of a revert, in characters. */
const maxCharacters = 400;

/**
 * A custom error by name and arguments, `Refused(0x…, 5)`, or `Refused(…)` where the arguments cannot be decoded. If errors
 * of different contracts share the selector, those whose arguments decode are named, or else all, joined by `or`. Undefined
 * when no error has the selector.
 */
export function describeCustomError(data: Hex, errors: readonly CustomError[], text: ArgumentText): string | undefined {
  const selector = slice(data, 0, 4).toLowerCase();
  const candidates = new Map(errors.filter((error) => error.selector === selector).map((e) => [e.signature, e]));
  const some = [...candidates.values()].slice(0, maxCandidates);
  if (some.length === 0) return undefined;
  const decoded = size(data) > maxRevertBytes ? [] : some.flatMap((error) => describe(error, data, text) ?? []);
  const named = decoded.length > 0 ? decoded : some.map(({ name }) => `${name}(…)`);
  return shorten([...new Set(named)].join(' or '));
}

function describe({ name, inputs }: CustomError, data: Hex, text: ArgumentText): string | undefined {
  if (inputs === undefined) return undefined;
  const encoded = size(data) > 4 ? slice(data, 4) : '0x';
  const values = decodeErrorArguments(inputs, encoded, text);
  return values && `${name}(${values.join(', ')})`;
}

function shorten(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
}

/** How values of type `bytes` and `string` are shown. */
type ArgumentText = { bytes(value: Hex): string; string(value: string): string };

/** Values as text, and the offset after the last one. */
type Decoded = { readonly texts: readonly string[]; readonly end: number };
type Encoding = { readonly digits: string; readonly text: ArgumentText };

const arrayType = /^(.+)\[(\d*)\]$/;
const integerType = /^(u?)int(\d*)$/;
const fixedBytesType = /^bytes(\d+)$/;
const word = 32;

/**
 * The arguments of an error as text. Undefined when `encoded` is not their canonical ABI encoding: each dynamic value right
 * after the one before, no bytes left over, zeros for padding. Each byte is read once, so crafted data cannot cost more work
 * than its length.
 */
export function decodeErrorArguments(
  inputs: readonly ErrorParameter[],
  encoded: Hex,
  text: ArgumentText,
): readonly string[] | undefined {
  const encoding = { digits: encoded.slice(2).toLowerCase(), text };
  const decoded = readSequence(encoding, inputs, 0);
  return decoded !== undefined && decoded.end * 2 === encoding.digits.length ? decoded.texts : undefined;
}

function readSequence(encoding: Encoding, types: readonly ErrorParameter[], start: number): Decoded | undefined {
  const texts: string[] = [];
  let head = start;
  let tail = start + headSizeOf(types);
  if (tail * 2 > encoding.digits.length) return undefined;
  for (const type of types) {
    const isElsewhere = isDynamic(type);
    if (isElsewhere && readNumber(encoding, head) !== BigInt(tail - start)) return undefined;
    const value = readValue(encoding, type, isElsewhere ? tail : head);
    if (value === undefined) return undefined;
    texts.push(...value.texts);
    if (isElsewhere) tail = value.end;
    head += headSize(type);
  }
  return { texts, end: tail };
}

function readValue(encoding: Encoding, parameter: ErrorParameter, at: number): Decoded | undefined {
  const [, element, length] = arrayType.exec(parameter.type) ?? [];
  if (element !== undefined) return readArray(encoding, { ...parameter, type: element }, length ?? '', at);
  if (parameter.type === 'tuple') return inBrackets('()', readSequence(encoding, parameter.components ?? [], at));
  if (parameter.type === 'bytes' || parameter.type === 'string') return readBytes(encoding, parameter.type, at);
  const digits = digitsAt(encoding, at, word);
  const text = digits === undefined ? undefined : readWord(parameter.type, digits);
  return text === undefined ? undefined : { texts: [text], end: at + word };
}

function readArray(encoding: Encoding, element: ErrorParameter, length: string, at: number): Decoded | undefined {
  const count = length === '' ? readNumber(encoding, at) : BigInt(length);
  const start = length === '' ? at + word : at;
  // An element without a size would allow a list of any length at no cost.
  const size = headSize(element);
  if (count === undefined || size === 0) return undefined;
  if (count * BigInt(size) > BigInt(encoding.digits.length / 2)) return undefined;
  return inBrackets('[]', readSequence(encoding, Array<ErrorParameter>(Number(count)).fill(element), start));
}

function readBytes(encoding: Encoding, type: 'bytes' | 'string', at: number): Decoded | undefined {
  const length = readNumber(encoding, at);
  if (length === undefined || length > BigInt(encoding.digits.length)) return undefined;
  const size = Number(length);
  const padded = Math.ceil(size / word) * word;
  const digits = digitsAt(encoding, at + word, padded);
  if (digits === undefined || /[^0]/.test(digits.slice(size * 2))) return undefined;
  const content = digits.slice(0, size * 2);
  const text =
    type === 'bytes'
      ? encoding.text.bytes(`0x${content}`)
      : encoding.text.string(Buffer.from(content, 'hex').toString('utf8'));
  return { texts: [text], end: at + word + padded };
}

/** A value of one word, or undefined when the word does not fit its type. */
function readWord(type: string, digits: string): string | undefined {
  const value = BigInt(`0x${digits}`);
  if (type === 'address') return value >> 160n === 0n ? getAddress(`0x${digits.slice(24)}`) : undefined;
  if (type === 'bool') return value > 1n ? undefined : String(value === 1n);
  const [, unsigned, bits] = integerType.exec(type) ?? [];
  if (bits !== undefined) return readInteger(value, Number(bits || 256), unsigned === 'u');
  const bytes = type === 'function' ? '24' : fixedBytesType.exec(type)?.[1];
  if (bytes === undefined) return undefined;
  const end = Number(bytes) * 2;
  return /[^0]/.test(digits.slice(end)) ? undefined : `0x${digits.slice(0, end)}`;
}

function readInteger(value: bigint, bits: number, isUnsigned: boolean): string | undefined {
  if (isUnsigned) return value >> BigInt(bits) === 0n ? value.toString() : undefined;
  const signed = BigInt.asIntN(256, value);
  return BigInt.asIntN(bits, signed) === signed ? signed.toString() : undefined;
}

function inBrackets(brackets: '()' | '[]', decoded: Decoded | undefined): Decoded | undefined {
  return decoded && { texts: [`${brackets[0]}${decoded.texts.join(', ')}${brackets[1]}`], end: decoded.end };
}

function readNumber(encoding: Encoding, at: number): bigint | undefined {
  const digits = digitsAt(encoding, at, word);
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
}

function digitsAt({ digits }: Encoding, at: number, size: number): string | undefined {
  return (at + size) * 2 <= digits.length ? digits.slice(at * 2, (at + size) * 2) : undefined;
}

/** Bytes of a value in the fixed part; for a dynamic value, the size of its offset. */
function headSize(parameter: ErrorParameter): number {
  if (isDynamic(parameter)) return word;
  const [, element, length] = arrayType.exec(parameter.type) ?? [];
  if (element !== undefined) return Number(length) * headSize({ ...parameter, type: element });
  return parameter.type === 'tuple' ? headSizeOf(parameter.components ?? []) : word;
}

function headSizeOf(parameters: readonly ErrorParameter[]): number {
  return parameters.reduce((sum, parameter) => sum + headSize(parameter), 0);
}

function isDynamic(parameter: ErrorParameter): boolean {
  const [, element, length] = arrayType.exec(parameter.type) ?? [];
  if (element !== undefined) return length === '' || isDynamic({ ...parameter, type: element });
  if (parameter.type === 'tuple') return (parameter.components ?? []).some(isDynamic);
  return parameter.type === 'bytes' || parameter.type === 'string';
}

/** A parameter of a custom error, as in the JSON ABI. */
type ErrorParameter = { readonly type: string; readonly components?: readonly ErrorParameter[] };

/** A custom error of an ABI: `signature` is canonical, `Refused(address)`; `selector` is lower case. */
export type CustomError = {
  readonly name: string;
  readonly signature: string;
  readonly selector: Hex;
  /** Absent when there are more than `maxErrorParameters`: the error is then shown by name only. */
  readonly inputs?: readonly ErrorParameter[];
};

/**
 * Most parameters of an error, components of tuples included, whose arguments are decoded. Revert data has room for half as
 * many words (`maxRevertBytes`), but an ABI can declare tens of thousands, and every decoding would visit them all.
 */
const maxErrorParameters = 64;

/** The custom errors of an ABI that was checked at registration (`parseAbi`). */
export function readCustomErrors(abi: string): readonly CustomError[] {
  const items: unknown = JSON.parse(abi);
  return Array.isArray(items) ? items.flatMap((item) => readCustomError(item) ?? []) : [];
}

function readCustomError(item: unknown): CustomError | undefined {
  if (typeof item !== 'object' || item === null || !('type' in item) || item.type !== 'error') return undefined;
  if (!('name' in item) || typeof item.name !== 'string') return undefined;
  const inputs = 'inputs' in item ? item.inputs : [];
  const types = canonicalAbiTypes(inputs);
  if (types === undefined) return undefined;
  const signature = `${item.name}${types}`;
  const selector = slice(keccak256(stringToBytes(signature)), 0, 4);
  const named = { name: item.name, selector };
  // A signature that long is no more useful than the selector.
  if (countParameters(inputs) > maxErrorParameters) return { ...named, signature: `${item.name}(…) ${selector}` };
  return { ...named, signature, inputs: readParameters(inputs) };
}

/** Counts parameters and their components. Stops above the limit. */
function countParameters(inputs: unknown): number {
  if (!Array.isArray(inputs)) return 0;
  let count = inputs.length;
  for (const { components } of inputs as readonly { components?: unknown }[]) {
    if (count > maxErrorParameters) break;
    count += countParameters(components);
  }
  return count;
}

/** Keeps only what decoding needs of each parameter. */
function readParameters(inputs: unknown): readonly ErrorParameter[] {
  if (!Array.isArray(inputs)) return [];
  return inputs.map((input: { type: string; components?: unknown }) =>
    input.components === undefined
      ? { type: input.type }
      : { type: input.type, components: readParameters(input.components) },
  );
}
