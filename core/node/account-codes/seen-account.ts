import type { Address, Hex } from 'viem';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';

/**
 * The slots of an account that determine whose code runs, and the beacon slot if there is one; also calls to measure without
 * the account's code.
 */
export type AccountSlots = {
  readonly slots: readonly Hex[];
  readonly beaconSlot: Hex;
  /** Undefined if there is nothing to measure. Decoded only when a node is asked. */
  readonly calls?: () => readonly InnerCall[] | undefined;
};

/**
 * The gas of an account's calls without the account's own code and modules: a gas limit with which they succeed (`made`), or
 * the gas they burn until one fails.
 */
export type CallsAlone = { readonly made: boolean; readonly gas: bigint };

/** An account in one state of the chain. */
export type SeenAccount = {
  /** Its own code. `0x` when there is none. */
  readonly code: Hex;
  /** The words in the requested slots, by slot. */
  readonly words: Readonly<Record<Hex, Hex>>;
  /** The target named by the beacon in its beacon slot. The zero address without one. */
  readonly beaconImplementation: Address;
  /** It had code before an operation with an `initCode`; EntryPoint 0.9 then ignores the `initCode`. */
  readonly wasThere?: true;
  /** For the requested calls. */
  readonly callsAlone?: CallsAlone;
};

/** Whether the same code ran in both states, as far as it was read. */
export function isSameAccount(one: SeenAccount, other: SeenAccount): boolean {
  const slots = Object.keys(one.words) as Hex[];
  return (
    one.code === other.code &&
    one.beaconImplementation === other.beaconImplementation &&
    slots.length === Object.keys(other.words).length &&
    slots.every((slot) => one.words[slot] === other.words[slot])
  );
}

/** The list in the operator's configuration that would make the code known. */
export type KnownCodeList = 'implementations' | 'proxies' | 'factories';

/** Code that an entry in a list of the operator's configuration would make known. */
export type MissingCode = { readonly list: KnownCodeList; readonly address: Address; readonly codeHash: Hex };

/** Unknown code, as far as the account was followed. */
export type UnknownCode = {
  readonly state: 'unknown';
  /** A sentence for people. */
  readonly why: string;
  readonly address: Address;
  readonly codeHash?: Hex;
  readonly list?: KnownCodeList;
  /** All code that must be made known, as far as it can be determined, with the one above first. */
  readonly missing?: readonly MissingCode[];
};

/** Whose code runs for a sender. */
export type AccountReading =
  | { readonly state: 'deployed'; readonly kind: AccountCodeKind }
  /** The operation creates the account, of this kind. */
  | { readonly state: 'created'; readonly kind: AccountCodeKind }
  /** There is no code yet, and the operation does not create any. */
  | { readonly state: 'absent' }
  | UnknownCode;
