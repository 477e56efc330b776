import type { Address, Hex } from 'viem';
import type { AccountCodeKind } from '../../evm/account-codes/known-code.ts';

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
