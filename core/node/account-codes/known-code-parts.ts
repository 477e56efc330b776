import type { LRUCache } from 'lru-cache';
import { type Address, type Hex, keccak256 } from 'viem';
import type { Clock } from '../../base/time/clock.ts';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';
import type { KnownCodeTable } from '../../evm/account-codes/known-code-table.ts';
import type { ChainClient } from '../chain-client.ts';
import type { UnknownCode } from './seen-account.ts';

/** How long known code and factories are cached by their address. */
export const codeLifetimeMs = 60_000;

/** The kinds that code belongs to, at least one. */
export type Kinds = readonly [AccountCodeKind, ...AccountCodeKind[]];

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
  return { state: 'unknown', why, address, codeHash, list, missing: [{ list, address, codeHash }] };
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
