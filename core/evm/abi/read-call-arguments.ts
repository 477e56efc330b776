import { maxMethodParameters } from '@tollfree/contract/limits';
import type { Hex } from 'viem';
import { type CalldataWalker, createCalldataWalker, NotUnderstoodError } from '../account-decoders/calldata-walker.ts';
import { maxCallData } from '../account-decoders/read-call.ts';
import { type Argument, type ArgumentType, readArguments, type ValueType } from './argument-type.ts';
import { type AbiFunction, countParameters, stateChangingItems } from './parse-abi.ts';

/** The parameters of a method, or why they cannot be read (the end of a sentence that begins with the method). */
export type ReadParameters = (selector: AbiFunction['selector']) => readonly Argument[] | string;

/**
 * Reads the parameters of the state-changing functions that `parseAbi` found in an ABI. The parameters of each method are
 * read once and kept.
 */
export function methodArguments(abi: string, functions: readonly AbiFunction[]): ReadParameters {
  const items = stateChangingItems(abi);
  const inputs = new Map(functions.map(({ selector }, index) => [selector, items[index]?.inputs]));
  const known = new Map<string, readonly Argument[] | string>();
  return (selector) => {
    const read = known.get(selector) ?? readParameters(inputs.get(selector));
    known.set(selector, read);
    return read;
  };
}

/** Applies the limit also to ABIs registered before it existed. */
function readParameters(inputs: unknown): readonly Argument[] | string {
  if (countParameters(inputs) > maxMethodParameters) return `has more than ${maxMethodParameters} parameters`;
  return readArguments(inputs) ?? 'has types that no compiler encodes';
}

/** Into a tuple by position, or into every element of a list. */
type Step = number | 'every';

/** The position of a value in the arguments of a call. */
type ArgumentPath = { readonly steps: readonly Step[]; readonly type: ValueType };

/** Most positions or names that an error lists. */
const maxNamed = 20;
const isList = 'must have [] after each list, for every element of it';
const segmentForm = /^([^[\]]*)((?:\[\])*)$/;

/**
 * Finds an argument by its path: names or positions of parameters and tuple components, separated by points, with `[]` for
 * every element of a list (`params.recipient`, `0.1`, `amounts[]`). An error is the second half of a sentence.
 */
export function findArgument(parameters: readonly Argument[], text: string): ArgumentPath | string {
  const steps: Step[] = [];
  let type: ArgumentType = { kind: 'tuple', components: parameters, isDynamic: false };
  for (const segment of text.split('.')) {
    const [, key, lists = ''] = segmentForm.exec(segment) ?? [];
    if (key === undefined || key === '')
      return 'must be names or positions with points between them, like params.amount';
    if (type.kind !== 'tuple') return type.kind === 'array' ? isList : 'must end at a value, and continues after one';
    const index = indexOf(type.components, key);
    if (typeof index === 'string') return index;
    type = (type.components[index] as Argument).type;
    steps.push(index);
    for (let depth = 0; depth < lists.length / 2; depth++) {
      if (type.kind !== 'array') return 'must have [] only after lists';
      type = type.element;
      steps.push('every');
    }
  }
  if (type.kind === 'array') return isList;
  if (type.kind === 'tuple') return `must continue after the tuple with one of ${keysOf(type.components)}`;
  return { steps, type };
}

function indexOf(components: readonly Argument[], key: string): number | string {
  if (/^\d{1,9}$/.test(key)) {
    return Number(key) < components.length ? Number(key) : `must be a position below ${components.length}`;
  }
  const found = components.flatMap(({ name }, index) => (name === key ? [index] : []));
  const [index, ...others] = found;
  if (index === undefined) return `must be one of ${keysOf(components)}`;
  return others.length === 0 ? index : `must be a position: ${found.join(' and ')} have the same name`;
}

function keysOf(components: readonly Argument[]): string {
  const keys = components.slice(0, maxNamed).map(({ name }, index) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : index));
  return [...keys, ...(components.length > maxNamed ? ['…'] : [])].join(', ');
}

/** The values at a path in the arguments of a call. Empty if a list on the way is empty. */
export function valuesAt(
  values: readonly ArgumentValue[],
  { steps }: Pick<ArgumentPath, 'steps'>,
): readonly ArgumentValue[] {
  let found: readonly ArgumentValue[] = [values];
  for (const step of steps) {
    found = found.flatMap((value) => {
      const inside = value as readonly ArgumentValue[]; // the path was resolved against these types
      return step === 'every' ? inside : inside.slice(step, step + 1);
    });
  }
  return found;
}

/** Numbers, flags and text; addresses and bytes as lower-case hex; lists and tuples as their values in order. */
export type ArgumentValue = bigint | boolean | string | readonly ArgumentValue[];

/** Characters before the arguments: `0x` and the selector. */
const selectorEnd = 10;
const wordBytes = 32;
/** Each element takes at least one word. */
const maxElements = maxCallData / wordBytes;

/**
 * The arguments of a call. Undefined when the data is not their canonical encoding: values in order without gaps, in range,
 * zero padding, valid UTF-8, no bytes left over. So every decoder reads the same values from these bytes, and each word is
 * read at most once.
 */
export function readCallArguments(parameters: readonly Argument[], data: Hex): readonly ArgumentValue[] | undefined {
  const encoded = Buffer.from(data.slice(selectorEnd), 'hex');
  // Buffer stops at the first character that is not a hex digit, and drops half a byte.
  if (selectorEnd + 2 * encoded.length !== data.length) return undefined;
  const walker = createCalldataWalker(encoded);
  try {
    const values = readSequence(
      walker,
      parameters.map(({ type }) => type),
    );
    walker.end();
    return values;
  } catch (cause) {
    if (cause instanceof NotUnderstoodError) return undefined;
    throw cause;
  }
}

/** Values of one sequence: first all heads, then the dynamic values in the same order. */
function readSequence(walker: CalldataWalker, types: Iterable<ArgumentType>): readonly ArgumentValue[] {
  const base = walker.position();
  const values: ArgumentValue[] = [];
  const tails: { readonly index: number; readonly type: ArgumentType; readonly offset: number }[] = [];
  for (const type of types) {
    if (type.isDynamic) tails.push({ index: values.length, type, offset: walker.offset() });
    values.push(type.isDynamic ? '' : readValue(walker, type));
  }
  for (const { index, type, offset } of tails) {
    walker.reach(base + offset);
    values[index] = readValue(walker, type);
  }
  return values;
}

function readValue(walker: CalldataWalker, type: ArgumentType): ArgumentValue {
  switch (type.kind) {
    case 'array':
      return readSequence(walker, repeat(type.element, type.length ?? walker.count(maxElements)));
    case 'tuple':
      return readSequence(
        walker,
        type.components.map((component) => component.type),
      );
    case 'bytes':
      return `0x${walker.bytes().toString('hex')}`;
    case 'string':
      return readText(walker.bytes());
    default:
      return readWord(walker, type);
  }
}

/** Lazy, so that a length beyond the data ends with the data. */
function* repeat(type: ArgumentType, count: number): Iterable<ArgumentType> {
  for (let index = 0; index < count; index++) yield type;
}

function readWord(walker: CalldataWalker, type: ValueType): ArgumentValue {
  switch (type.kind) {
    case 'address':
      return walker.address();
    case 'uint':
      return within(walker.uint(), (value) => BigInt.asUintN(type.bits, value));
    case 'int':
      return within(BigInt.asIntN(8 * wordBytes, walker.uint()), (value) => BigInt.asIntN(type.bits, value));
    case 'fixedBytes': {
      const word = Buffer.from(walker.fixedBytes());
      if (word.subarray(type.size).some((byte) => byte !== 0)) throw new NotUnderstoodError('padding is not zero');
      return `0x${word.toString('hex', 0, type.size)}`;
    }
    default:
      return within(walker.uint(), (value) => BigInt.asUintN(1, value)) === 1n;
  }
}

/** Throws when the type would truncate the number. */
function within(value: bigint, cut: (value: bigint) => bigint): bigint {
  if (cut(value) !== value) throw new NotUnderstoodError('a number is out of the range of its type');
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new NotUnderstoodError('text is not UTF-8');
  }
}
