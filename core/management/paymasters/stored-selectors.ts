import type { Hex } from 'viem';

/** The selectors that the whitelist comes to, as `manageContracts` stored them. */
export function readStoredSelectors(selectors: string): ReadonlySet<Hex> {
  return new Set(JSON.parse(selectors) as readonly Hex[]);
}
