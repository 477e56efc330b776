import type { Hex } from 'viem';
import { catalogue } from './catalogue.ts';
import type { KnownProxy } from './known-code.ts';

/** `eip1967.proxy.implementation` and `eip1967.proxy.beacon` (EIP-1967). */
export const implementationSlot: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
export const beaconSlot: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const firstSlot: Hex = `0x${'0'.repeat(64)}`;

/** Where OpenZeppelin's UpgradeableBeacon keeps the implementation, after its owner. */
export const beaconImplementationSlot: Hex = `0x${'1'.padStart(64, '0')}`;
const slots = { beacon: beaconSlot, first: firstSlot, 'own-address': 'own-address' } as const;

const rows = catalogue.flatMap(({ codes }) => codes);
/** Beacons whose own code is known. */
export const knownBeaconHashes: readonly Hex[] = rows.flatMap(({ role, mark }) =>
  role === 'beacon' && 'codeHash' in mark ? [mark.codeHash] : [],
);

/**
 * Proxies, recognized by their own code: an account that runs other code but keeps a known address in the right slot does
 * not qualify. Minimal proxies with the address in their code (EIP-1167) and EIP-7702 delegations need no entry.
 */
export const knownProxies: readonly KnownProxy[] = rows.flatMap(({ role, mark, slot }) => {
  if (role !== 'proxy' || !('codeHash' in mark)) return [];
  const found = slot === undefined ? implementationSlot : slots[slot];
  return [{ mark, slot: found, ...(slot === 'beacon' ? { through: 'beacon' as const } : {}) }];
});
