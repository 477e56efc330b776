import { type Address, getAddress, isAddress } from 'viem';
import type { Codec } from './codec.ts';

/** An address; it arrives checksummed in any case. */
export const address: Codec<Address, string> = {
  toWire: (value) => value,
  toDomain(text) {
    if (!isAddress(text, { strict: false })) {
      throw new TypeError('an address is expected here');
    }
    return getAddress(text);
  },
};
