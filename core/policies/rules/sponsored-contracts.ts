import type { Hex } from 'viem';

/**
 * Registered contracts by lower-case address. `selectors` are the whitelisted ones, lower-case 4 bytes, with the bytes that the
 * arguments of the method always take, `undefined` where that depends on their values; there are none of a contract with which
 * the paymaster has more than it may have.
 */
export type SponsoredContracts = ReadonlyMap<
  string,
  { readonly name: string; readonly selectors: ReadonlyMap<Hex, number | undefined>; readonly isAboveBound?: true }
>;
