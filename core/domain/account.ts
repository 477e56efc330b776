/** An account owns paymasters and has many authTokens. Times are Unix seconds. */
export type Account = { readonly accountId: string; readonly name: string; readonly createdAt: number };

/** An authToken as it is listed: the token itself is shown once, when it is issued, and stored as a digest only. */
export type AuthTokenRecord = {
  readonly authTokenId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
};
