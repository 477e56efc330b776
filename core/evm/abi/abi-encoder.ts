import type { AbiParameter, AbiParameterToPrimitiveType } from 'viem';
import { addressWord, uintDigits } from './hex-digits.ts';

/** Writes values of one type as hex digits, in whole words. */
type Encoder = {
  /** Whether the type is dynamic: the value follows the fixed part, which holds its offset. */
  readonly isDynamic: boolean;
  /** Length of the fixed part. */
  readonly headBytes: number;
  encode(value: unknown): string;
};

const wordBytes = 32;

/**
 * Builds an encoder for function arguments from their ABI. viem walks the ABI again for every call, which takes several
 * times as long. Returns hex digits without `0x`. Throws at once for an unsupported type (signed numbers, text, fixed-size
 * arrays), and when encoding a `RangeError` for a value that does not fit.
 */
export function createAbiEncoder<const Parameters extends readonly AbiParameter[]>(
  parameters: Parameters,
): (values: { readonly [Index in keyof Parameters]: AbiParameterToPrimitiveType<Parameters[Index]> }) => string {
  const encoders = parameters.map(encoderOf);
  return (values) => encodeParts(encoders, (index) => (values as readonly unknown[])[index]);
}

function encoderOf(parameter: AbiParameter): Encoder {
  const { type } = parameter;
  if (type.endsWith('[]')) return arrayEncoder(encoderOf({ ...parameter, type: type.slice(0, -2) }));
  if (type === 'tuple') return tupleEncoder(componentsOf(parameter));
  if (type === 'bytes')
    return { isDynamic: true, headBytes: wordBytes, encode: (value) => encodeBytes(value as string) };
  if (type === 'address') return word((value) => addressWord(value as `0x${string}`));
  if (type === 'bool') return word((value) => (value === true ? one : zero));
  const size = Number(/^(?:uint|bytes)(\d+)$/.exec(type)?.[1] ?? Number.NaN);
  if (type.startsWith('uint') && size <= 256) return word((value) => encodeUint(value as bigint, size / 8));
  if (size <= wordBytes) return word((value) => encodeFixed(value as string, size));
  throw new TypeError(`The encoder does not know the type ${type}.`);
}

function componentsOf(parameter: AbiParameter): readonly AbiParameter[] {
  return 'components' in parameter ? parameter.components : [];
}

function word(encode: (value: unknown) => string): Encoder {
  return { isDynamic: false, headBytes: wordBytes, encode };
}

const zero = '0'.repeat(64);
const one = uintDigits(1, wordBytes);

function encodeUint(value: bigint | number, byteLength: number): string {
  if (value === 0n) return zero;
  return byteLength === wordBytes ? uintDigits(value, wordBytes) : uintDigits(value, byteLength).padStart(64, '0');
}

function encodeFixed(value: string, byteLength: number): string {
  if (value.length !== 2 + 2 * byteLength)
    throw new RangeError(`A value does not fit a type of ${byteLength * 8} bits.`);
  return value.slice(2).padEnd(64, '0');
}

function encodeBytes(value: string): string {
  const digits = value.length - 2;
  if (digits % 2 !== 0) throw new RangeError('Bytes have two hex digits each.');
  const padding = (64 - (digits % 64)) % 64;
  return `${uintDigits(digits / 2, wordBytes)}${value.slice(2)}${zero.slice(0, padding)}`;
}

function tupleEncoder(components: readonly AbiParameter[]): Encoder {
  const parts = components.map(encoderOf);
  const names = components.map(({ name = '' }) => name);
  const isDynamic = parts.some((part) => part.isDynamic);
  return {
    isDynamic,
    headBytes: isDynamic ? wordBytes : sumOfHeads(parts),
    encode: (value) => encodeParts(parts, (index) => (value as Record<string, unknown>)[names[index] ?? '']),
  };
}

function arrayEncoder(item: Encoder): Encoder {
  return {
    isDynamic: true,
    headBytes: wordBytes,
    encode: (value) => {
      const items = value as readonly unknown[];
      return `${uintDigits(items.length, wordBytes)}${encodeParts(
        items.map(() => item),
        (index) => items[index],
      )}`;
    },
  };
}

function sumOfHeads(parts: readonly Encoder[]): number {
  return parts.reduce((sum, { headBytes }) => sum + headBytes, 0);
}

/** Writes all fixed parts, then all dynamic values. */
function encodeParts(parts: readonly Encoder[], valueAt: (index: number) => unknown): string {
  let end = sumOfHeads(parts);
  let head = '';
  let tail = '';
  for (const [index, part] of parts.entries()) {
    const encoded = part.encode(valueAt(index));
    if (part.isDynamic) {
      head += uintDigits(end, wordBytes);
      tail += encoded;
      end += encoded.length / 2;
    } else {
      head += encoded;
    }
  }
  return head + tail;
}
