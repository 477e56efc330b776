import type { Address, Hex } from 'viem';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';

/**
 * Which slots of an account say whose code runs, and where a beacon stands if there is one; calls to measure without the account's
 * code.
 */
export type AccountSlots = {
  readonly slots: readonly Hex[];
  readonly beaconSlot: Hex;
  /** Undefined where there is nothing to measure. Decoding them is left until a node is asked. */
  readonly calls?: () => readonly InnerCall[] | undefined;
};

/**
 * What an account's calls take where nothing of the account's code and modules runs: a gas limit with which they go through
 * (`made`), or the gas that they burn until one fails.
 */
export type CallsAlone = { readonly made: boolean; readonly gas: bigint };

/** An account as it was in one state of the chain. */
export type SeenAccount = {
  /** Its own code. `0x` when there is none. */
  readonly code: Hex;
  /** The words in the slots that were asked for, by slot. */
  readonly words: Readonly<Record<Hex, Hex>>;
  /** What the beacon in its beacon slot names. The zero address without one. */
  readonly beaconImplementation: Address;
  /** It had code before an operation with an `initCode`, which EntryPoint 0.9 leaves out then. */
  readonly wasThere?: true;
  /** Of the calls that were asked for. */
  readonly callsAlone?: CallsAlone;
};

/** Whether the same code ran in both states, as far as it has been looked at. */
export function isSameAccount(one: SeenAccount, other: SeenAccount): boolean {
  const slots = Object.keys(one.words) as Hex[];
  return (
    one.code === other.code &&
    one.beaconImplementation === other.beaconImplementation &&
    slots.length === Object.keys(other.words).length &&
    slots.every((slot) => one.words[slot] === other.words[slot])
  );
}

/** Which list of the operator's configuration would make code known. */
export type KnownCodeList = 'implementations' | 'proxies' | 'factories';

/** Code that an entry in a list of the operator's configuration would make known. */
export type MissingCode = { readonly list: KnownCodeList; readonly address: Address; readonly codeHash: Hex };

/** Code that is not known, as far as the account was followed. */
export type UnknownCode = {
  readonly state: 'unknown';
  /** A sentence for people. */
  readonly why: string;
  readonly address: Address;
  readonly codeHash?: Hex;
  readonly list?: KnownCodeList;
  /** All code that has to be made known, as far as it can be told, the one above first. */
  readonly missing?: readonly MissingCode[];
};

/** Whose code runs for a sender. */
export type AccountReading =
  | { readonly state: 'deployed'; readonly kind: AccountCodeKind }
  /** The operation makes the account, and what is left is of this kind. */
  | { readonly state: 'created'; readonly kind: AccountCodeKind }
  /** There is no code yet, and the operation makes none. */
  | { readonly state: 'absent' }
  | UnknownCode;
