import type { Address } from 'viem';

/**
 * Who gets an account by a first sign-in with a wallet: `open` everybody, `invited` wallets that the operator has invited,
 * `closed` nobody. Wallets of accounts that are there sign in with each of them.
 */
export const signUpModes = ['open', 'invited', 'closed'] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** A nonce for one sign-in. Times are Unix seconds. */
export type SignInNonce = {
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly signUp: SignUpMode;
};

/** Whose a session or an authToken is. */
export type Identity = {
  readonly accountId: string;
  readonly name: string;
  /** The account's, where it has one. */
  readonly wallet?: Address;
  /** The authToken, or the one that the session began with. */
  readonly authTokenId?: string;
  /** Unix seconds. Absent for an authToken that does not expire. */
  readonly expiresAt?: number;
  readonly signUp: SignUpMode;
};

/** A new session. The secret is in this answer and never again. */
export type NewSession = { readonly session: string; readonly identity: Identity };
