import { z } from 'zod';
import { managementErrors } from '../errors.ts';
import { exactly } from '../fields/exactly.ts';
import { ofScalar } from '../fields/form.ts';
import { address, chainId, seconds } from '../fields/forms.ts';
import { maxIdLength, maxMembers } from '../limits.ts';
import { limitError, operation, readOperation } from '../operation.ts';
import { nameField, textField } from '../text-field.ts';
import { RoleSchema } from './role.ts';
import { scopes } from './scope.ts';

export const MemberSchema = z.object({
  wallet: address.describe('The wallet that signs in.'),
  chainId: chainId
    .optional()
    .describe('The chain of a contract wallet (ERC-1271). Absent for a wallet with a private key.'),
  name: z
    .string()
    .optional()
    .describe(
      'What the member is called: given with the invitation, or by the member. It proves nothing. Absent: none.',
    ),
  role: RoleSchema,
  addedAt: seconds,
  joinedAt: seconds.optional().describe('Unix seconds of the first sign-in. Absent: has not signed in yet.'),
});
export type MemberItem = z.infer<typeof MemberSchema>;

export const AddMemberRequestSchema = exactly({
  wallet: textField('wallet', maxIdLength).describe('Address of the wallet. It need not have signed in before.'),
  role: RoleSchema,
  name: nameField('name').optional().describe('What the member is called. The member can change it.'),
  chainId: ofScalar(
    z.int({ error: 'chainId must be a chain id' }).positive({ error: 'chainId must be a chain id' }),
    'chainId',
  )
    .optional()
    .describe('Only for a contract wallet such as a Safe: the chain it is deployed on and signs in on.'),
});
export type AddMemberRequest = z.infer<typeof AddMemberRequestSchema>;

export const ChangeMemberRequestSchema = exactly({ role: RoleSchema });
export type ChangeMemberRequest = z.infer<typeof ChangeMemberRequestSchema>;

export const RenameMemberRequestSchema = exactly({ name: nameField('name') });
export type RenameMemberRequest = z.infer<typeof RenameMemberRequestSchema>;

export const MemberParamsSchema = z.object({ wallet: textField('wallet', maxIdLength) });

const { memberExists, memberNotFound, lastOwner } = managementErrors;

/** Wallets that sign in to the account, each with a role. Changing them requires all scopes, except one's own name. */
export const memberOperations = {
  /** The wallets that sign in to the account, each with its role: owners first. */
  list: readOperation('listMembers', {
    path: '/members',
    summary: 'List the account’s members',
    credentials: 'account',
    message: 'Member list fetched',
    data: z.array(MemberSchema),
  }),
  /** Invites a wallet to the account. Needs all three scopes, like every change of members. */
  add: operation('addMember', {
    method: 'POST',
    path: '/members',
    summary: 'Invite a wallet to the account with a role',
    credentials: 'account',
    scopes,
    body: AddMemberRequestSchema,
    message: 'Member added',
    data: MemberSchema,
    errors: [memberExists, limitError(`An account can have at most ${maxMembers} members`)],
    repeatable: false,
    changes: 'access',
  }),
  /**
   * Gives a member another role, effective immediately for its sessions and the authTokens it created. Throws with status
   * 400 if no owner would be left who has signed in.
   */
  change: operation('changeMember', {
    method: 'PUT',
    path: '/members/:wallet',
    summary: 'Change a member’s role, effective immediately',
    credentials: 'account',
    scopes,
    pathParams: MemberParamsSchema,
    body: ChangeMemberRequestSchema,
    message: 'Member changed',
    data: MemberSchema,
    errors: [memberNotFound, lastOwner],
    repeatable: true,
    changes: 'access',
  }),
  /**
   * Gives a member another name. Members rename themselves in a session of their own wallet, whatever their role; renaming
   * another one needs all three scopes. Throws with status 404 if the wallet is no member.
   */
  rename: operation('renameMember', {
    method: 'PUT',
    path: '/members/:wallet/name',
    summary: 'Rename a member. Members may rename themselves',
    credentials: 'account',
    scopes: ['read'],
    pathParams: MemberParamsSchema,
    body: RenameMemberRequestSchema,
    message: 'Member renamed',
    data: MemberSchema,
    errors: [memberNotFound],
    repeatable: true,
    changes: 'access',
    // The core allows it to the member itself and to callers with all scopes.
    author: 'any member',
  }),
  /**
   * Removes a member, its wallet's sessions, and the authTokens it created. Throws with status 400 if no owner would be left
   * who has signed in.
   */
  remove: operation('removeMember', {
    method: 'DELETE',
    path: '/members/:wallet',
    summary: 'Remove a member, its wallet’s sessions, and the authTokens it created',
    credentials: 'account',
    scopes,
    pathParams: MemberParamsSchema,
    message: 'Member removed',
    data: MemberSchema,
    errors: [memberNotFound, lastOwner],
    repeatable: false,
    changes: 'access',
    // A member may also leave.
    author: 'any member',
  }),
} as const;
