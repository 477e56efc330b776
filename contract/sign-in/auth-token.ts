import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { ScopesSchema, WantedScopesSchema } from '../access/scope.ts';
import { commonErrorResponses, ErrorEnvelopeSchema, envelope, envelopeWith } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import { AccountHeadersSchema } from '../headers.ts';
import { maxAuthTokenDays, maxAuthTokens, maxIdLength, maxMoment } from '../limits.ts';
import { needs, withAuthToken } from '../route-metadata.ts';
import { nameField, requestBody, textField } from '../text-field.ts';

export const AuthTokenSchema = z.object({
  authTokenId: z.string().describe('Identifies the token without revealing it.'),
  name: z.string(),
  scopes: ScopesSchema,
  madeBy: z
    .string()
    .optional()
    .describe(
      'Wallet of the member who created it. The member’s role bounds its scopes. Absent: created by the operator.',
    ),
  createdAt: z.int().describe('Unix seconds.'),
  expiresAt: z.int().optional().describe('Unix seconds. Absent: never expires.'),
  lastUsedAt: z.int().optional().describe('Unix seconds, rounded to the minute. Absent: not used yet.'),
  revokedAt: z.int().optional().describe('Unix seconds. Absent: not revoked.'),
});
export type AuthTokenItem = z.infer<typeof AuthTokenSchema>;

export const CreatedAuthTokenSchema = AuthTokenSchema.extend({
  authToken: z.string().describe('The token. It is shown only in this answer.'),
});
export type CreatedAuthToken = z.infer<typeof CreatedAuthTokenSchema>;

const daysError = `expiresInDays must be a whole number from 1 to ${maxAuthTokenDays}`;
const timeError = 'expiresAt must be a time in the future';

export const CreateAuthTokenRequestSchema = requestBody({
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

export const DeleteAuthTokenRequestSchema = requestBody({ authTokenId: textField('authTokenId', maxIdLength) });
export type DeleteAuthTokenRequest = z.infer<typeof DeleteAuthTokenRequestSchema>;

const headers = AccountHeadersSchema;

/** The account holder's own authTokens. */
export const authTokenRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/auth-token',
    summary: 'List the account’s authTokens',
    headers,
    metadata: needs(['read'], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Auth token list fetched', z.array(AuthTokenSchema)) },
  },
  create: {
    method: 'POST',
    path: '/auth-token',
    summary: 'Create an authToken, which is shown once',
    headers,
    body: CreateAuthTokenRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken('management', {
        status: 400,
        statusCode: 400,
        message: `An account can have at most ${maxAuthTokens} auth tokens`,
      }),
    ),
    responses: { ...commonErrorResponses, 200: envelopeWith('Auth token created', CreatedAuthTokenSchema) },
  },
  delete: {
    method: 'DELETE',
    path: '/auth-token',
    summary: 'Revoke an authToken and end the sessions that started with it',
    headers,
    body: DeleteAuthTokenRequestSchema,
    metadata: needs(['manage'], withAuthToken('management', managementErrors.authTokenNotFound)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelope('Auth token revoked') },
  },
});
