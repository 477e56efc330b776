import { z } from 'zod';

/**
 * The forms of values on the RPC endpoint, for all methods. `null`, an empty text and a bare `0x` mean the same as leaving
 * the field out; only `callData` is then empty instead of absent.
 */

const quantityError = {
  error: `must be a hex string, a decimal string or a whole number up to ${Number.MAX_SAFE_INTEGER}`,
};

/** A number: hex (leading zeros allowed), decimal text, or a JSON number that a double represents exactly. */
export const quantity = z.union([z.string(), z.int(quantityError).nonnegative(quantityError)], quantityError).nullish();

/** Bytes, or an address, in hex. */
export const bytes = z.string({ error: 'must be a hex string' }).nullish();

const chainIdError = { error: 'must be a chain id: hex, decimal text or a number' };

/** An EIP-155 chain id, in the forms of any number. */
export const chainId = z.union(
  [
    z.string(chainIdError).regex(/^(0x[0-9a-fA-F]{1,16}|\d{1,16})$/, chainIdError),
    z.int(chainIdError).positive(chainIdError),
  ],
  chainIdError,
);

/** Whether a field is left out. */
export function isAbsent(sent: string | number | null | undefined): sent is '' | '0x' | null | undefined {
  return sent === undefined || sent === null || sent === '' || sent === '0x';
}

/** Whether a field in which 0, or the zero address, names nothing is left out. */
export function isAbsentOrZero(sent: string | number | null | undefined): boolean {
  return isAbsent(sent) || /^(0x)?0+$/.test(String(sent));
}
