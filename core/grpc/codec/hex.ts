import { type Hex, isHex } from 'viem';
import type { Codec } from './codec.ts';

/** `0x` and an even number of hex digits, in the case in which they were written. */
export const hex: Codec<Hex, string> = {
  toWire: (value) => value,
  toDomain(text) {
    if (!isHex(text) || text.length % 2 !== 0) throw new TypeError('hex is expected here');
    return text;
  },
};
