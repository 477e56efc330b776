import type { AttributionSuffix } from './attribution-suffix.ts';

/** How every identifier begins: its prefix `5afe`, and version 0 of its format. */
const prefix = Buffer.from('5afe00', 'hex');
/**
 * Sizes in use, in bytes: the kits of Safe and Candide write 32, the documentation names 50, and shorter ones of 16 occur.
 */
const sizes = [16, 32, 50] as const;

/**
 * Safe's on-chain identifiers that the bytes may end with: the project, platform and tool that made the operation, as
 * truncated hashes. Hashes can contain the prefix, so only the account's own arguments show where the identifier begins.
 *
 * @see https://docs.safe.global/sdk/onchain-tracking
 */
export function findSafeIdentifiers(bytes: Buffer): readonly AttributionSuffix[] {
  return sizes
    .map((size) => bytes.subarray(-size))
    .filter((tail) => tail.subarray(0, prefix.length).equals(prefix) && sizes.some((size) => size === tail.length))
    .map((tail) => ({ bytes: tail.length, codes: [tail.toString('hex')] }));
}
