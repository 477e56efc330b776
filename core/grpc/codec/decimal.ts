import type { Codec } from './codec.ts';

/** Longest decimal string of 256 bits. */
const maxDigits = 78;

function read(text: string): bigint {
  if (text.length > maxDigits || !/^(0|[1-9][0-9]*)$/.test(text)) {
    throw new TypeError('a decimal string is expected here');
  }
  return BigInt(text);
}

function write(value: bigint): string {
  if (value < 0n || value >= 1n << 256n) throw new RangeError('an amount does not fit 256 bits');
  return value.toString();
}

/** An integer of up to 256 bits, not negative, as a decimal string. */
export const decimal: Codec<bigint, string> = { toWire: write, toDomain: read };

/** An integer that may be negative, of up to 256 bits next to its sign, as a decimal string. */
export const signedDecimal: Codec<bigint, string> = {
  toWire: (value) => (value < 0n ? `-${write(-value)}` : write(value)),
  toDomain(text) {
    if (!text.startsWith('-')) return read(text);
    const size = read(text.slice(1));
    if (size === 0n) throw new TypeError('a decimal string is expected here');
    return -size;
  },
};
