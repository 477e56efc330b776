import { signUpModes } from '@tollfree/contract/sign-in/session';
import type { Address } from 'viem';
import type { Role } from './access/role.ts';
import type { Scope } from './access/scope.ts';

/**
 * Who gets an account by a first sign-in with a wallet: `open` everybody, `invited` wallets that the operator has
 * invited, `closed` no one. Wallets of accounts that are there sign in with each of them.
 */
export { signUpModes };
export type SignUpMode = (typeof signUpModes)[number];

/** A nonce for one sign-in. Times are Unix seconds. */
export type SignInNonce = {
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly signUp: SignUpMode;
};

/** A session that has not ended, as its account's holder sees it: never its secret. Times are Unix seconds. */
export type SessionRecord = {
  readonly sessionId: string;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt: number;
  /** At the latest; sooner when nothing uses it. */
  readonly expiresAt: number;
  /** The authToken that it began with, and its name. Absent after a sign-in with a wallet. */
  readonly authTokenId?: string;
  readonly authTokenName?: string;
  /** The wallet that signed in for it. Absent where an authToken did. */
  readonly wallet?: Address;
  /** It is the one that asks. */
  readonly isCurrent: boolean;
};

/** Whose a session or an authToken is. */
export type Identity = {
  readonly accountId: string;
  readonly name: string;
  /** The one that signed in, or else the account's own where it has one. */
  readonly wallet?: Address;
  /** The chain of the contract wallet that signed in. Absent for a wallet with a private key. */
  readonly chainId?: number;
  /** Of the wallet that signed in. Absent where an authToken says what is allowed. */
  readonly role?: Role;
  /** The authToken, or the one that the session began with. */
  readonly authTokenId?: string;
  /** What it may. */
  readonly scopes: readonly Scope[];
  /** Unix seconds. Absent for an authToken that does not expire. */
  readonly expiresAt?: number;
  readonly signUp: SignUpMode;
  /** It may see what only the operator of the service sees. */
  readonly operator?: true;
};

/** A new session. The secret is in this answer and never again. */
export type NewSession = { readonly session: string; readonly identity: Identity };
