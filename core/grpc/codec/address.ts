import { type Address, getAddress, isAddress } from 'viem';
import type { Codec } from './codec.ts';

/** An address; it arrives checksummed in any case. */
export const address: Codec<Address, string> = {
  toWire: (value) => value,
  toDomain(text) {
    if (!isAddress(text, { strict: false })) {
      throw new TypeError('the wire holds something else where an address belongs');
    }
    return getAddress(text);
  },
};
