import type { Address, Hex } from 'viem';
import { type CodeRole, catalogue, type KnownCode } from './catalogue.ts';
import type { CodeMark, KnownProxy } from './known-code.ts';

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

/** Contracts that accounts call, or that run while an account is created. */
export const knownHelpers: readonly CodeMark[] = rows.flatMap(({ role, mark }) => (role === 'helper' ? [mark] : []));

/**
 * Proxies, recognized by their own code: an account that runs other code but keeps a known address in the right slot does
 * not qualify. Minimal proxies with the address in their code (EIP-1167) and EIP-7702 delegations need no entry.
 */
export const knownProxies: readonly KnownProxy[] = rows.flatMap(({ role, mark, slot }) => {
  if (role !== 'proxy' || !('codeHash' in mark)) return [];
  const found = slot === undefined ? implementationSlot : slots[slot];
  return [{ mark, slot: found, ...(slot === 'beacon' ? { through: 'beacon' as const } : {}) }];
});

/** All rows of a kind that has an entry. */
function codesOf(kind: string): readonly KnownCode[] {
  const entry = catalogue.find((one) => one.kind === kind);
  if (entry === undefined) throw new Error(`The catalogue has no ${kind}.`);
  return entry.codes;
}

/** The marks of a kind's contracts with one of these roles. */
export function marksOf(kind: string, ...roles: readonly CodeRole[]): readonly CodeMark[] {
  return codesOf(kind).flatMap(({ role, mark }) => (roles.includes(role) ? [mark] : []));
}

/** Contracts that run as an account of the kind. */
export function implementationsOf(kind: string): readonly CodeMark[] {
  return marksOf(kind, 'implementation', 'delegate');
}

export function addressOf(kind: string, contract: string): Address {
  const found = codesOf(kind).find((code) => code.contract === contract && 'address' in code.mark);
  if (found === undefined || !('address' in found.mark))
    throw new Error(`The catalogue has no ${contract} of ${kind}.`);
  return found.mark.address;
}

export function codeMarkOf(kind: string, contract: string): Extract<CodeMark, { codeHash: unknown }> {
  const found = codesOf(kind).find((code) => code.contract === contract && 'codeHash' in code.mark);
  if (found === undefined || !('codeHash' in found.mark)) {
    throw new Error(`The catalogue has no code of ${contract} of ${kind}.`);
  }
  return found.mark;
}
