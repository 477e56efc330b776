import { type Address, type Hex, keccak256, pad } from 'viem';
import { implementationSlot, knownBeaconHashes } from '../../evm/account-codes/find-in-catalogue.ts';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';
import type { Delegation } from '../../evm/account-codes/known-code-table.ts';
import type { AccountStorage } from './account-storage.ts';
import {
  type CodeParts,
  findKinds,
  type Kinds,
  readCode,
  readUnknown,
  recall,
  unknownCode,
  withMore,
} from './known-code-parts.ts';
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
