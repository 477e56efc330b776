import { z } from 'zod';
import { ScopesSchema, WantedScopesSchema } from '../access/scope.ts';
import { managementErrors } from '../errors.ts';
import { exactly } from '../fields/exactly.ts';
import { withObjectForm } from '../fields/form.ts';
import { address, seconds, withRecord } from '../fields/forms.ts';
import { maxAuthTokenDays, maxAuthTokens, maxIdLength, maxMoment } from '../limits.ts';
import { limitError, manageOperation, readOperation } from '../operation.ts';
import { nameField, textField } from '../text-field.ts';

export const AuthTokenSchema = z.object({
  authTokenId: z.string().describe('Identifies the token without revealing it.'),
  name: z.string(),
  scopes: ScopesSchema,
  madeBy: address
    .optional()
    .describe(
      'Wallet of the member who created it. The member’s role bounds its scopes. Absent: created by the operator.',
    ),
  createdAt: seconds,
  expiresAt: seconds.optional().describe('Unix seconds. Absent: never expires.'),
  lastUsedAt: seconds.optional().describe('Unix seconds, rounded to the minute. Absent: not used yet.'),
  revokedAt: seconds.optional().describe('Unix seconds. Absent: not revoked.'),
});
export type AuthTokenItem = z.infer<typeof AuthTokenSchema>;

export const CreatedAuthTokenSchema = withObjectForm(
  AuthTokenSchema.extend({ authToken: z.string().describe('The token. It is shown only in this answer.') }),
  withRecord,
);
export type CreatedAuthToken = z.infer<typeof CreatedAuthTokenSchema>;

const daysError = `expiresInDays must be a whole number from 1 to ${maxAuthTokenDays}`;
const timeError = 'expiresAt must be a time in the future';

export const CreateAuthTokenRequestSchema = exactly({
  name: nameField('name').describe('Name of the token.'),
  expiresAt: z
    .int({ error: timeError })
    .min(1, { error: timeError })
    .max(maxMoment, { error: timeError })
    .optional()
    .describe(
      'Unix seconds, no later than the expiry of the authToken that creates it. If this and `expiresInDays` are absent, it expires together with that token, or never.',
    ),
  expiresInDays: z
    .int({ error: daysError })
    .min(1, { error: daysError })
    .max(maxAuthTokenDays, { error: daysError })
    .optional()
    .describe('Days from now, instead of `expiresAt`.'),
  scopes: WantedScopesSchema.optional().describe(
    'A subset of the creating authToken’s or session’s scopes. Absent: all of them.',
  ),
}).refine(({ expiresAt, expiresInDays }) => expiresAt === undefined || expiresInDays === undefined, {
  error: 'Send expiresAt or expiresInDays, not both',
});
export type CreateAuthTokenRequest = z.infer<typeof CreateAuthTokenRequestSchema>;

export const DeleteAuthTokenRequestSchema = exactly({ authTokenId: textField('authTokenId', maxIdLength) });
export type DeleteAuthTokenRequest = z.infer<typeof DeleteAuthTokenRequestSchema>;

/** The account holder's own authTokens. */
export const authTokenOperations = {
  /** The account's authTokens, oldest first, without the tokens themselves. Includes revoked and expired ones. */
  list: readOperation('listAuthTokens', {
    path: '/auth-token',
    summary: 'List the account’s authTokens',
    credentials: 'account',
    message: 'Auth token list fetched',
    data: z.array(AuthTokenSchema),
  }),
  /** Creates an authToken with at most the rights of the one that creates it. Only this answer contains it. */
  create: manageOperation('createAuthToken', {
    method: 'POST',
    path: '/auth-token',
    summary: 'Create an authToken, which is shown once',
    credentials: 'account',
    body: CreateAuthTokenRequestSchema,
    message: 'Auth token created',
    data: CreatedAuthTokenSchema,
    errors: [limitError(`An account can have at most ${maxAuthTokens} auth tokens`)],
    repeatable: false,
    changes: 'authTokens',
    rpc: 'issueAuthToken',
  }),
  /** Revokes an authToken and ends the sessions that started with it. Throws with status 404 if the account has no such one. */
  delete: manageOperation('revokeAuthToken', {
    method: 'DELETE',
    path: '/auth-token',
    summary: 'Revoke an authToken and end the sessions that started with it',
    credentials: 'account',
    body: DeleteAuthTokenRequestSchema,
    message: 'Auth token revoked',
    errors: [managementErrors.authTokenNotFound],
    repeatable: false,
    changes: 'revoked authToken',
  }),
} as const;
