import type { Address } from 'viem';
import type { Scope } from './access/scope.ts';

/** An account owns paymasters and has many authTokens. Times are Unix seconds. */
export type Account = {
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: number;
  /** The one it was made for, or that the operator has linked: a member, who is no other account's own. */
  readonly wallet?: Address;
  /** The holder of the wallet was invited and has not signed in yet. */
  readonly invited?: true;
  /** Since then no one signs in, and its authTokens are not accepted. */
  readonly suspendedAt?: number;
};

/** An authToken as it is listed: the token itself is shown once, when it is issued, and stored as a digest only. */
export type AuthTokenRecord = {
  readonly authTokenId: string;
  readonly name: string;
  /** No more than the role of the member has who made it. */
  readonly scopes: readonly Scope[];
  /**
   * The member who made it, or the authToken that did. Absent: the operator did, or it is from before there were
   * members.
   */
  readonly madeBy?: Address;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** To the minute. */
  readonly lastUsedAt?: number;
};
