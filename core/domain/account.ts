import { AccountSchema as ApiAccountSchema } from '@tollfree/contract/operator';
import { AuthTokenSchema } from '@tollfree/contract/sign-in/auth-token';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message, text } from '../base/message-schema.ts';

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
