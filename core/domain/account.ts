import { z } from 'zod';
import { address, listOf, message, seconds, text, trueOrAbsent } from '../base/message-schema.ts';
import { scopes } from './access/scope.ts';

/** An account owns paymasters and has many authTokens. Times are Unix seconds. */
export const AccountSchema = message('Account', {
  /** Identifies the account in every other call. */
  accountId: text,
  name: text,
  createdAt: seconds,
  /** The one it was made for, or that the operator has linked: a member, who is no other account's own. */
  wallet: address.exactOptional(),
  /** Whether the holder of the wallet was invited and has not signed in yet. */
  invited: trueOrAbsent,
  /** Since then no one signs in, and its authTokens are not accepted. */
  suspendedAt: seconds.exactOptional(),
});
export type Account = z.output<typeof AccountSchema>;

/** An authToken as it is listed: the token itself is shown once, when it is issued, and stored as a digest only. */
export const AuthTokenRecordSchema = message('AuthTokenRecord', {
  /** Identifies the token for revoking it. */
  authTokenId: text,
  name: text,
  /** What it may: `read`, `manage`, `funds`. No more than the role of the member has who made it. */
  scopes: listOf(z.enum(scopes)),
  /**
   * The member who made it, or the authToken that did. Absent: the operator did, or it is from before there were
   * members.
   */
  madeBy: address.exactOptional(),
  createdAt: seconds,
  /** Absent: does not expire. */
  expiresAt: seconds.exactOptional(),
  /** Absent: not revoked. */
  revokedAt: seconds.exactOptional(),
  /** Unix seconds, to the minute. Absent: not used yet. */
  lastUsedAt: seconds.exactOptional(),
});
export type AuthTokenRecord = z.output<typeof AuthTokenRecordSchema>;

/** A new authToken. */
export const IssuedAuthTokenSchema = message('IssuedAuthToken', {
  /** The token: in this answer and never again. */
  authToken: text,
  /** The token as it is listed from now on. */
  record: AuthTokenRecordSchema,
});
