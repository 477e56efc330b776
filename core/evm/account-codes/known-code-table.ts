import { LRUCache } from 'lru-cache';
import { type Address, getAddress, type Hex, keccak256, pad, zeroAddress } from 'viem';
import type { KnownAccountsConfig } from '../../domain/known-accounts-config.ts';
import { delegateOf } from '../entry-point/eip7702.ts';
import { implementationSlot, knownProxies } from './find-in-catalogue.ts';
import { knownAccounts } from './known-accounts.ts';
import type { AccountCodeKind, CodeMark, Creation, KnownProxy } from './known-code.ts';

/**
 * Solady's minimal ERC-1967 proxy without its immutable arguments. They follow the code but never run: its only jump stays
 * inside.
 */
const runtime: Hex =
  '0x363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3';

/** The code of such a proxy without its arguments; other code unchanged. */
function withoutArguments(code: Hex): Hex {
  return code.toLowerCase().startsWith(runtime) ? runtime : code;
}

/** EIP-1167: the code before and after the target's address. */
const pattern = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/i;

/** The target of a minimal proxy; undefined for other code. */
function minimalProxyTarget(code: Hex): Address | undefined {
  const digits = pattern.exec(code)?.[1];
  return digits === undefined ? undefined : getAddress(`0x${digits}`);
}

type DeployedCode = { readonly address: Address; readonly code: Hex };

/** Where code delegates to: an address in the code itself, or a storage slot of the account. */
export type Delegation =
  | { readonly to: Address }
  | { readonly slot: KnownProxy['slot']; readonly through: KnownProxy['through'] };

/** What a piece of code is: an account itself, or a proxy. */
type Looked = { readonly kinds: readonly AccountCodeKind[]; readonly delegation: Delegation | undefined };

/** The code known on a chain: the published code, and what the operator adds. */
export type KnownCodeTable = {
  /** The account kinds whose calls this code makes. Kinds with the same code differ in their slots. */
  findKinds(deployed: DeployedCode): readonly AccountCodeKind[];
  /** The target of the code, if delegating is all it does. */
  findDelegation(code: Hex): Delegation | undefined;
  /** Every slot of an account that can determine whose code runs there. */
  slotsOf(account: Address): readonly Hex[];
  /**
   * What a factory creates from this call data: `unknown` if its code is not known, `other` if the call could do other work.
   */
  findCreation(
    deployed: DeployedCode & { readonly callData: Hex },
  ): { readonly kind: AccountCodeKind; readonly creation: Creation } | 'unknown' | 'other';
  /** Whether a creation may call this code: it is what the factory's kind expects, or a helper of the configuration. */
  mayRun(deployed: DeployedCode, expected: readonly CodeMark[]): boolean;
};

/** Results are cached, since hashing code takes longer than everything else. Total size of cached code, in characters. */
const maxLooked = 20_000_000;

/** The table of a chain. */
export function createKnownCodeTable(added: KnownAccountsConfig = {}): KnownCodeTable {
  const kinds = [...knownAccounts, ...addedKinds(added)];
  const proxies = [...knownProxies, ...addedProxies(added)];
  const slots = [
    ...new Set([
      ...proxies.map(({ slot }) => slot),
      ...kinds.flatMap(({ requires = [] }) => requires.map(({ slot }) => slot)),
    ]),
  ];
  const looked = new LRUCache<Hex, Looked>({ maxSize: maxLooked, sizeCalculation: (_, code) => code.length });
  const byAddress = kindsByAddress(kinds);
  const findDelegation = (code: Hex): Delegation | undefined => {
    const to = delegateOf(code) ?? minimalProxyTarget(code);
    if (to !== undefined) return { to };
    const hash = keccak256(withoutArguments(code));
    const proxy = proxies.find(({ mark: { codeHash, immutables = [] } }) =>
      immutables.length === 0 ? codeHash === hash : codeHash === maskedCodeHash(code, immutables),
    );
    return proxy === undefined ? undefined : { slot: proxy.slot, through: proxy.through };
  };
  const look = (deployed: DeployedCode): Looked => {
    const known = looked.get(deployed.code) ?? {
      kinds: kinds.filter(({ implementations }) =>
        implementations.some((mark) => 'codeHash' in mark && hasMark(mark, deployed)),
      ),
      delegation: findDelegation(deployed.code),
    };
    looked.set(deployed.code, known);
    return known;
  };
  return {
    findKinds: (deployed) => byAddress.get(deployed.address.toLowerCase()) ?? look(deployed).kinds,
    findDelegation: (code) => look({ address: zeroAddress, code }).delegation,
    slotsOf: (account) => slots.map((slot) => (slot === 'own-address' ? pad(account) : slot)),
    findCreation: ({ callData, ...deployed }) => {
      let found: 'unknown' | 'other' = 'unknown';
      for (const kind of kinds) {
        for (const { mark, readCreation } of kind.factories ?? []) {
          if (!hasMark(mark, deployed)) continue;
          const creation = readCreation({ code: deployed.code, callData });
          if (creation !== undefined) return { kind, creation };
          found = 'other';
        }
      }
      return found;
    },
    mayRun: (deployed, expected) => [...expected, ...(added.helpers ?? [])].some((mark) => hasMark(mark, deployed)),
  };
}

function kindsByAddress(kinds: readonly AccountCodeKind[]): ReadonlyMap<string, readonly AccountCodeKind[]> {
  const found = new Map<string, AccountCodeKind[]>();
  for (const kind of kinds) {
    const addresses = kind.implementations.flatMap((mark) => ('address' in mark ? [mark.address.toLowerCase()] : []));
    for (const address of new Set(addresses)) found.set(address, [...(found.get(address) ?? []), kind]);
  }
  return found;
}

function addedKinds({ implementations = [], factories = [] }: KnownAccountsConfig): readonly AccountCodeKind[] {
  const made = implementations.map(({ name, version, ...mark }) => ({
    name: `${name} ${version} of the configuration`,
    decoders: [{ name, version }],
    implementations: [mark],
  }));
  const makers = factories.map(({ name, version, ...mark }) => ({
    name: `${name} ${version} of a factory of the configuration`,
    decoders: [{ name, version }],
    implementations: [],
    factories: [{ mark, readCreation: () => ({}) }],
  }));
  return [...made, ...makers];
}

function addedProxies({ proxies = [] }: KnownAccountsConfig): readonly KnownProxy[] {
  return proxies.map(({ slot = implementationSlot, ...mark }) => ({ mark, slot }));
}

const wordDigits = 64;
const zeroWord = '0'.repeat(wordDigits);

/** The hash of runtime code, with the words at these offsets (bytes) set to zero. */
function maskedCodeHash(code: Hex, immutables: readonly number[] = []): Hex {
  let digits = code.slice(2);
  for (const offset of immutables) {
    const start = offset * 2;
    if (start + wordDigits > digits.length) continue;
    digits = digits.slice(0, start) + zeroWord + digits.slice(start + wordDigits);
  }
  return keccak256(`0x${digits}`);
}

export function hasMark(mark: CodeMark, { address, code }: { readonly address: string; readonly code: Hex }): boolean {
  if ('address' in mark) return mark.address.toLowerCase() === address.toLowerCase();
  return maskedCodeHash(code, mark.immutables) === mark.codeHash;
}
