import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelopeWith } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import { AccountHeadersSchema } from '../headers.ts';
import { maxIdLength, maxMembers } from '../limits.ts';
import { needs, withAuthToken } from '../route-metadata.ts';
import { requestBody, textField } from '../text-field.ts';
import { RoleSchema } from './role.ts';
import { scopes } from './scope.ts';

export const MemberSchema = z.object({
  wallet: z.string().describe('The wallet that signs in.'),
  chainId: z
    .int()
    .optional()
    .describe('The chain of a contract wallet (ERC-1271). Absent for a wallet with a private key.'),
  role: RoleSchema,
  addedAt: z.int().describe('Unix seconds.'),
  joinedAt: z.int().optional().describe('Unix seconds of the first sign-in. Absent: has not signed in yet.'),
});
export type MemberItem = z.infer<typeof MemberSchema>;

export const AddMemberRequestSchema = requestBody({
  wallet: textField('wallet', maxIdLength).describe('Address of the wallet. It need not have signed in before.'),
  role: RoleSchema,
  chainId: z
    .int({ error: 'chainId must be a chain id' })
    .positive({ error: 'chainId must be a chain id' })
    .optional()
    .describe('Only for a contract wallet such as a Safe: the chain it is deployed on and signs in on.'),
});
export type AddMemberRequest = z.infer<typeof AddMemberRequestSchema>;

export const ChangeMemberRequestSchema = requestBody({ role: RoleSchema });
export type ChangeMemberRequest = z.infer<typeof ChangeMemberRequestSchema>;

export const MemberParamsSchema = z.object({ wallet: textField('wallet', maxIdLength) });

const headers = AccountHeadersSchema;

/** Wallets that sign in to the account, each with a role. Changing them requires all scopes. */
export const memberRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/members',
    summary: 'List the account’s members',
    headers,
    metadata: needs(['read'], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Member list fetched', z.array(MemberSchema)) },
  },
  add: {
    method: 'POST',
    path: '/members',
    summary: 'Invite a wallet to the account with a role',
    headers,
    body: AddMemberRequestSchema,
    metadata: needs(
      scopes,
      withAuthToken('management', managementErrors.memberExists, {
        status: 400,
        statusCode: 400,
        message: `An account can have at most ${maxMembers} members`,
      }),
    ),
    responses: { ...commonErrorResponses, 200: envelopeWith('Member added', MemberSchema) },
  },
  change: {
    method: 'PUT',
    path: '/members/:wallet',
    summary: 'Change a member’s role, effective immediately',
    headers,
    pathParams: MemberParamsSchema,
    body: ChangeMemberRequestSchema,
    metadata: needs(scopes, withAuthToken('management', managementErrors.memberNotFound, managementErrors.lastOwner)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelopeWith('Member changed', MemberSchema) },
  },
  remove: {
    method: 'DELETE',
    path: '/members/:wallet',
    summary: 'Remove a member, its wallet’s sessions, and the authTokens it created',
    headers,
    pathParams: MemberParamsSchema,
    body: initContract().noBody(),
    metadata: needs(scopes, withAuthToken('none', managementErrors.memberNotFound, managementErrors.lastOwner)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelopeWith('Member removed', MemberSchema) },
  },
});
