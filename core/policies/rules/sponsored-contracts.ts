import type { Hex } from 'viem';

/** Registered contracts by lower-case address. `selectors` are the whitelisted ones, lower-case 4 bytes. */
export type SponsoredContracts = ReadonlyMap<string, { readonly name: string; readonly selectors: ReadonlySet<Hex> }>;
