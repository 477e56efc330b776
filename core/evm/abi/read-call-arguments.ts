import type { Hex } from 'viem';
import { type CalldataWalker, createCalldataWalker, NotUnderstoodError } from '../account-decoders/calldata-walker.ts';
import { maxCallData } from '../account-decoders/read-call.ts';
import type { Argument, ArgumentType, ValueType } from './argument-type.ts';

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
