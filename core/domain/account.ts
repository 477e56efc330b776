import type { Address } from 'viem';
import type { Scope } from './access/scope.ts';

/** An account owns paymasters and has many authTokens. Times are Unix seconds. */
export type Account = {
  readonly accountId: string;
  readonly name: string;
  readonly createdAt: number;
  /** Its holder signs in with it. */
  readonly wallet?: Address;
  /** The holder of the wallet was invited and has not signed in yet. */
  readonly invited?: true;
  /** Since then nobody signs in, and its authTokens are not accepted. */
  readonly suspendedAt?: number;
};

/** An authToken as it is listed: the token itself is shown once, when it is issued, and stored as a digest only. */
export type AuthTokenRecord = {
  readonly authTokenId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** To the minute. */
  readonly lastUsedAt?: number;
};
