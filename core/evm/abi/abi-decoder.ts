import { type AbiParameter, type AbiParameterToPrimitiveType, getAddress, type Hex } from 'viem';

/** Reads a value of one type from hex digits. */
type Decoder = {
  /** Whether the type is dynamic: the fixed part then holds only an offset. */
  readonly isDynamic: boolean;
  readonly headDigits: number;
  /** `at` is where the value begins, in digits. */
  decode(digits: string, at: number): unknown;
};

const wordDigits = 64;
/** Offsets and lengths are read from this many digits at the end of a word; the other digits must be zero. */
const offsetDigits = 8;
const zeros = '0'.repeat(wordDigits);
/** Integers of up to this many bits are read as `number`, as viem does. */
const maxNumberBits = 48;

type Values<Parameters extends readonly AbiParameter[]> = {
  readonly [Index in keyof Parameters]: AbiParameterToPrimitiveType<Parameters[Index]>;
};

/**
 * Builds a decoder for the return values of a function from its ABI. viem walks the ABI again for every answer, byte by
 * byte; the values are the same. Throws at once for an unsupported type (signed numbers, text, fixed-size arrays, arrays
 * whose items contain arrays), and when decoding a `RangeError` for data that is too short or does not match the types.
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

/** Throws when the text is too short: `slice` would silently return less. */
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

/** An offset or a length, in digits. */
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

/** Nested arrays are refused: their items may share bytes, so a short answer could decode to a huge list. */
function hasArrays(parameter: AbiParameter): boolean {
  return parameter.type.endsWith(']') || componentsOf(parameter).some(hasArrays);
}

function sumOfHeads(parts: readonly Decoder[]): number {
  return parts.reduce((sum, { headDigits }) => sum + headDigits, 0);
}

/** Reads values whose fixed parts follow each other from `from` on. Offsets of dynamic values count from there. */
function decodeParts(parts: readonly Decoder[], digits: string, from: number): unknown[] {
  let at = from;
  const values: unknown[] = [];
  for (const { isDynamic, headDigits, decode } of parts) {
    values.push(decode(digits, isDynamic ? from + readOffset(digits, at) : at));
    at += headDigits;
  }
  return values;
}
