import { z } from 'zod';
import { address, listOf, message, seconds, text, trueOrAbsent } from '../base/message-schema.ts';
import { scopes } from './access/scope.ts';

/** An account owns paymasters and has many authTokens. Times are Unix seconds. */
export const AccountSchema = message('Account', {
  /** Identifies the account in every other call. */
  accountId: text,
  name: text,
  createdAt: seconds,
  /** The wallet that created it, or that the operator has linked: a member, and no other account's own wallet. */
  wallet: address.exactOptional(),
  /** Whether its wallet was invited and has not signed in yet. */
  invited: trueOrAbsent,
  /** From this time on no one can sign in, and its authTokens are not accepted. */
  suspendedAt: seconds.exactOptional(),
});
export type Account = z.output<typeof AccountSchema>;

/** An authToken in lists: the token itself is shown once, when it is issued, and stored only as a digest. */
export const AuthTokenRecordSchema = message('AuthTokenRecord', {
  /** Identifies the token for revoking it. */
  authTokenId: text,
  name: text,
  /** What it may do: `read`, `manage`, `funds`. Limited to the role of the member who created it. */
  scopes: listOf(z.enum(scopes)),
  /** The member that created it, or whose authToken did. Absent: the operator did, or it is older than members. */
  madeBy: address.exactOptional(),
  createdAt: seconds,
  /** Absent: does not expire. */
  expiresAt: seconds.exactOptional(),
  /** Absent: not revoked. */
  revokedAt: seconds.exactOptional(),
  /** Unix seconds, rounded to the minute. Absent: not used yet. */
  lastUsedAt: seconds.exactOptional(),
});
export type AuthTokenRecord = z.output<typeof AuthTokenRecordSchema>;

/** A new authToken. */
export const IssuedAuthTokenSchema = message('IssuedAuthToken', {
  /** The token. Only this answer contains it. */
  authToken: text,
  /** The token in lists. */
  record: AuthTokenRecordSchema,
});
