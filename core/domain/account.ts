import { MemberSchema as ApiMemberSchema } from '@tollfree/contract/access/member';
import { AccountSchema as ApiAccountSchema } from '@tollfree/contract/operator';
import { AuthTokenSchema } from '@tollfree/contract/sign-in/auth-token';
import { MembershipSchema as ApiMembershipSchema } from '@tollfree/contract/sign-in/session';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message, text } from '../base/message-schema.ts';

/**
 * A wallet that signs in to an account. The same address on another chain may belong to someone else, so a contract wallet is
 * a member on one chain only. Times are Unix seconds.
 */
export const MemberSchema = message('Member', fieldsOfApi(ApiMemberSchema));
export type Member = z.output<typeof MemberSchema>;

/** An account, as shown to a wallet that is a member of it. */
export const MembershipSchema = message('Membership', fieldsOfApi(ApiMembershipSchema));
export type Membership = z.output<typeof MembershipSchema>;

/** An account owns paymasters and has many authTokens. Times are Unix seconds. */
export const AccountSchema = message('Account', fieldsOfApi(ApiAccountSchema));
export type Account = z.output<typeof AccountSchema>;

/** An authToken in lists: the token itself is shown once, when it is issued, and stored only as a digest. */
export const AuthTokenRecordSchema = message('AuthTokenRecord', fieldsOfApi(AuthTokenSchema));
export type AuthTokenRecord = z.output<typeof AuthTokenRecordSchema>;

/** A new authToken. */
export const IssuedAuthTokenSchema = message('IssuedAuthToken', {
  /** The token. Only this answer contains it. */
  authToken: text,
  /** The token in lists. */
  record: AuthTokenRecordSchema,
});
