import { getAddress, isAddress, zeroAddress } from 'viem';
import { z } from 'zod';

/** An address with, in mixed case, the right checksum; not the zero address. */
export const addressSchema = z
  .string()
  .refine((text) => isAddress(text, { strict: true }) && text !== zeroAddress, {
    error: 'must be an address (0x and 40 hex digits)',
    params: { id: 'address' },
  })
  .transform((text) => getAddress(text));
