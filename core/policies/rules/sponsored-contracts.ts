import type { Hex } from 'viem';

/**
 * Registered contracts by lower-case address. `selectors` are the whitelisted ones, lower-case 4 bytes; there are none of a
 * contract with which the paymaster has more than it may have.
 */
export type SponsoredContracts = ReadonlyMap<
  string,
  { readonly name: string; readonly selectors: ReadonlySet<Hex>; readonly isAboveBound?: true }
>;
