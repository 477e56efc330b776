import type { LRUCache } from 'lru-cache';
import { type Address, type Hex, keccak256, pad } from 'viem';
import type { Clock } from '../../base/time/clock.ts';
import { implementationSlot, knownBeaconHashes } from '../../evm/account-codes/find-in-catalogue.ts';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';
import type { Delegation, KnownCodeTable } from '../../evm/account-codes/known-code-table.ts';
import type { ChainClient } from '../chain-client.ts';
import type { AccountStorage } from './account-storage.ts';
import type { AccountReading, UnknownCode } from './seen-account.ts';

/** Longest chain of delegations: a proxy, a beacon, and a delegation before it. */
const maxDelegations = 3;

type Followed = { readonly sender: Address; readonly storage: AccountStorage };

/** Follows delegations to the code that runs. */
export async function follow(
  parts: CodeParts,
  followed: Followed,
  from: Extract<Delegation, { to: Address }>,
  codeThere?: Hex,
): Promise<AccountReading> {
  const { sender: account } = followed;
  let address = from.to;
  let code = codeThere;
  for (let delegations = 0; delegations <= maxDelegations; delegations += 1) {
    const kinds = recall(parts, address) ?? findKinds(parts, address, code ?? (await readCode(parts, address)));
    if (kinds !== undefined) return checkSlots(followed, kinds);
    code ??= await readCode(parts, address);
    const delegation = parts.table.findDelegation(code);
    if (delegation === undefined) {
      if (address !== account) return unknownCode(address, code, 'implementations');
      const named = await followed.storage.addressIn(implementationSlot);
      return withMore(unknownCode(address, code, 'proxies'), named && (await readUnknown(parts, named)));
    }
    const next = await readDelegation(parts, followed, delegation);
    if (typeof next === 'object') return next;
    [address, code] = [next, undefined];
  }
  return { state: 'unknown', why: `${account} delegates through more than ${maxDelegations} contracts.`, address };
}

/** The target of the account's delegation. */
async function readDelegation(
  parts: CodeParts,
  { sender, storage }: Followed,
  delegation: Delegation,
): Promise<Address | UnknownCode> {
  if ('to' in delegation) return delegation.to;
  const named = await storage.addressIn(delegation.slot === 'own-address' ? pad(sender) : delegation.slot);
  if (named === undefined) {
    return { state: 'unknown', why: `The proxy ${sender} delegates to nothing.`, address: sender };
  }
  if (delegation.through === undefined) return named;
  const beaconCode = await readCode(parts, named);
  if (!knownBeaconHashes.includes(keccak256(beaconCode))) return unknownCode(named, beaconCode, undefined);
  return (await storage.beaconImplementation()) ?? unknownCode(named, beaconCode, undefined);
}

/**
 * Some kinds forward the EntryPoint's calls to a contract in a slot, which must be theirs. It also decides between kinds
 * with the same code.
 */
async function checkSlots({ sender, storage }: Followed, kinds: Kinds): Promise<AccountReading> {
  let wrong: { readonly kind: AccountCodeKind; readonly named: Address | undefined } | undefined;
  for (const kind of kinds) {
    const found = await findWrongSlot(storage, kind);
    if (found === 'none') return { state: 'deployed', kind };
    wrong ??= { kind, named: found };
  }
  const name = wrong?.kind.name ?? kinds[0].name;
  const why = `${sender} has the code of ${name}, but forwards calls to ${wrong?.named ?? 'no known contract'}.`;
  return { state: 'unknown', why, address: sender };
}

/** The slot value that does not match this kind, undefined if all match. */
async function findWrongSlot(storage: AccountStorage, kind: AccountCodeKind): Promise<Address | undefined | 'none'> {
  for (const { slot, oneOf } of kind.requires ?? []) {
    const named = await storage.addressIn(slot);
    if (named === undefined || !oneOf.includes(named)) return named;
  }
  return 'none';
}

/** How long known code and factories are cached by their address. */
export const codeLifetimeMs = 60_000;

/** The kinds that code belongs to, at least one. */
type Kinds = readonly [AccountCodeKind, ...AccountCodeKind[]];

/** What reading and recognizing code needs. */
export type CodeParts = {
  readonly client: ChainClient;
  readonly table: KnownCodeTable;
  /** Known code, by its address. */
  readonly kinds: LRUCache<Address, { readonly found: Kinds; readonly until: number }>;
  readonly factories: LRUCache<Address, { readonly code: Hex; readonly until: number }>;
  readonly clock: Clock;
};

/** The kinds of an address whose code was recognized recently. */
export function recall({ kinds, clock }: CodeParts, address: Address): Kinds | undefined {
  const known = kinds.get(address);
  return known !== undefined && clock.now() < known.until ? known.found : undefined;
}

/** The kinds of code, cached by its address; undefined for unknown code. */
export function findKinds({ table, kinds, clock }: CodeParts, address: Address, code: Hex): Kinds | undefined {
  const [first, ...others] = code === '0x' ? [] : table.findKinds({ address, code });
  if (first === undefined) return undefined;
  const found: Kinds = [first, ...others];
  kinds.set(address, { found, until: clock.now() + codeLifetimeMs });
  return found;
}

/** A refusal of code; `list` is the operator's list to which it can be added. */
export function unknownCode(address: Address, code: Hex, list: UnknownCode['list']): UnknownCode {
  if (code === '0x') return { state: 'unknown', why: `There is no code at ${address}.`, address };
  const codeHash = keccak256(code);
  const why = `The code at ${address} is not known (its hash is ${codeHash}).`;
  if (list === undefined) return { state: 'unknown', why, address, codeHash };
  return { state: 'unknown', why, address, codeHash, list, missing: [{ list, address, code, codeHash }] };
}

/** The code at an address; `0x` for none. */
export async function readCode({ client }: Pick<CodeParts, 'client'>, address: Address): Promise<Hex> {
  return (await client.request({ method: 'eth_getCode', params: [address, 'latest'] })) ?? '0x';
}

/** Refuses code whose calls are not known and that does not delegate. */
export async function readUnknown(parts: CodeParts, address: Address): Promise<UnknownCode | undefined> {
  const code = await readCode(parts, address);
  const isKnown = findKinds(parts, address, code) !== undefined || parts.table.findDelegation(code) !== undefined;
  return isKnown ? undefined : unknownCode(address, code, 'implementations');
}

/** A refusal that also names the other missing code, so that the operator can add everything at once. */
export function withMore(first: UnknownCode, more: UnknownCode | undefined): UnknownCode {
  if (first.missing === undefined || more?.missing === undefined) return first;
  return { ...first, why: `${first.why} ${more.why}`, missing: [...first.missing, ...more.missing] };
}
