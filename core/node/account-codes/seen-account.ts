import type { Address, Hex } from 'viem';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';

/** The slots of an account that determine whose code runs, and the beacon slot if there is one. */
export type AccountSlots = { readonly slots: readonly Hex[]; readonly beaconSlot: Hex };

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
export type KnownCodeList = 'implementations' | 'proxies' | 'factories' | 'helpers';

/** Whether entries of the list name the accounts that read calls like this code. Proxies and helpers read no calls. */
export function namesAccount(list: KnownCodeList): boolean {
  return list === 'implementations' || list === 'factories';
}

/** Code that an entry in a list of the operator's configuration would make known. */
export type MissingCode = {
  readonly list: KnownCodeList;
  readonly address: Address;
  readonly code: Hex;
  readonly codeHash: Hex;
};

/** Unknown code, as far as the account was followed. */
export type UnknownCode = {
  readonly state: 'unknown';
  /** A sentence for people. */
  readonly why: string;
  readonly address: Address;
  readonly codeHash?: Hex;
  readonly list?: KnownCodeList;
  /** The known code behind an unknown factory, if that was read. */
  readonly kindBehind?: AccountCodeKind;
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
