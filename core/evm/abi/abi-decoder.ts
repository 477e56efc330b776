import { type AbiParameter, type AbiParameterToPrimitiveType, getAddress, type Hex } from 'viem';

/** Reads a value of one type out of hex digits. */
type Decoder = {
  /** Whether its place says where it stands. */
  readonly isDynamic: boolean;
  readonly headDigits: number;
  /** `at` is where the value begins, in digits. */
  decode(digits: string, at: number): unknown;
};

const wordDigits = 64;
/** So many digits at the end of a word are read as a place or a length; the others have to be zero. */
const offsetDigits = 8;
const zeros = '0'.repeat(wordDigits);
/** Numbers of so many bits are read as `number`, as viem does. */
const maxNumberBits = 48;

/** The values of parameters, in order. */
type Values<Parameters extends readonly AbiParameter[]> = {
  readonly [Index in keyof Parameters]: AbiParameterToPrimitiveType<Parameters[Index]>;
};

/**
 * A decoder of what a function returns, made once of its ABI: viem's goes through the ABI again with every answer, byte by
 * byte. Its values are the same. Throws at once for a type it does not know (signed numbers, text, arrays of a fixed length
 * or of what has arrays itself), and later a `RangeError` for data that is too short or not of these types.
 */
export function createAbiDecoder<const Parameters extends readonly AbiParameter[]>(
  parameters: Parameters,
): (data: Hex) => Values<Parameters> {
  const decoders = parameters.map(decoderOf);
  return (data) => {
    if (!isHexDigits.test(data)) throw new RangeError('The data is not hex.');
    return decodeParts(decoders, data.slice(2).toLowerCase(), 0) as Values<Parameters>;
  };
}

const isHexDigits = /^0x[0-9a-fA-F]*$/;

function decoderOf(parameter: AbiParameter): Decoder {
  const { type } = parameter;
  if (type.endsWith('[]')) return arrayDecoder({ ...parameter, type: type.slice(0, -2) });
  if (type === 'tuple') return tupleDecoder(componentsOf(parameter));
  if (type === 'bytes') return { isDynamic: true, headDigits: wordDigits, decode: decodeBytes };
  if (type === 'address') return word((digits) => getAddress(`0x${digits.slice(24)}`));
  if (type === 'bool') return word(decodeBool);
  const size = Number(/^(?:uint|bytes)(\d+)$/.exec(type)?.[1] ?? Number.NaN);
  if (type.startsWith('uint') && size <= 256) return word(size <= maxNumberBits ? decodeNumber : decodeBigint);
  if (size <= 32) return word((digits) => `0x${digits.slice(0, 2 * size)}`);
  throw new TypeError(`The decoder does not know the type ${type}.`);
}

function componentsOf(parameter: AbiParameter): readonly AbiParameter[] {
  return 'components' in parameter ? parameter.components : [];
}

function word(read: (digits: string) => unknown): Decoder {
  return { isDynamic: false, headDigits: wordDigits, decode: (digits, at) => read(take(digits, at, wordDigits)) };
}

/** Throws for what is not all there: a text that is too short is cut without a word. */
function take(digits: string, at: number, length: number): string {
  if (at + length > digits.length) throw new RangeError('The data is too short.');
  return digits.slice(at, at + length);
}

function decodeBool(digits: string): boolean {
  const number = decodeBigint(digits);
  if (number > 1n) throw new RangeError('A flag is neither true nor false.');
  return number === 1n;
}

function decodeNumber(digits: string): number {
  return Number(decodeBigint(digits));
}

function decodeBigint(digits: string): bigint {
  return digits === zeros ? 0n : BigInt(`0x${digits}`);
}

/** A place or a length, in digits. */
function readOffset(digits: string, at: number): number {
  const offset = take(digits, at, wordDigits);
  if (!zeros.startsWith(offset.slice(0, -offsetDigits))) throw new RangeError('An offset points beyond the data.');
  return 2 * Number.parseInt(offset.slice(-offsetDigits), 16);
}

function decodeBytes(digits: string, at: number): Hex {
  return `0x${take(digits, at + wordDigits, readOffset(digits, at))}`;
}

function tupleDecoder(components: readonly AbiParameter[]): Decoder {
  const parts = components.map(decoderOf);
  const names = components.map(({ name = '' }) => name);
  const isDynamic = parts.some((part) => part.isDynamic);
  return {
    isDynamic,
    headDigits: isDynamic ? wordDigits : sumOfHeads(parts),
    decode: (digits, at) => {
      const values = decodeParts(parts, digits, at);
      const tuple: Record<string, unknown> = {};
      for (const [index, name] of names.entries()) tuple[name] = values[index];
      return tuple;
    },
  };
}

function arrayDecoder(parameter: AbiParameter): Decoder {
  if (hasArrays(parameter)) throw new TypeError('The decoder does not support arrays inside arrays.');
  const item = decoderOf(parameter);
  return {
    isDynamic: true,
    headDigits: wordDigits,
    decode: (digits, at) => {
      const count = readOffset(digits, at) / 2;
      const from = at + wordDigits;
      if (from + count * item.headDigits > digits.length) throw new RangeError('The data is too short.');
      return decodeParts(new Array<Decoder>(count).fill(item), digits, from);
    },
  };
}

/** Items may share their bytes: with arrays in arrays, a short answer would be a long list. */
function hasArrays(parameter: AbiParameter): boolean {
  return parameter.type.endsWith(']') || componentsOf(parameter).some(hasArrays);
}

function sumOfHeads(parts: readonly Decoder[]): number {
  return parts.reduce((sum, { headDigits }) => sum + headDigits, 0);
}

/** Values whose fixed parts stand in a row from `from` on, where the places of the others count from. */
function decodeParts(parts: readonly Decoder[], digits: string, from: number): unknown[] {
  let at = from;
  const values: unknown[] = [];
  for (const { isDynamic, headDigits, decode } of parts) {
    values.push(decode(digits, isDynamic ? from + readOffset(digits, at) : at));
    at += headDigits;
  }
  return values;
}
