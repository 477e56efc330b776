import { memberOperations as api } from '@tollfree/contract/access/member';
import { chainId, listMessage, request, text } from '../../base/message-schema.ts';
import { MemberSchema, MembershipSchema, NewSessionSchema } from '../sign-in.ts';
import { type CoreMethods, inputOf } from './core-methods.ts';

/** The members of an account, and their roles. Changing members requires all scopes, as owners have. */
export const memberOperations = {
  /** Owners first, then in the order they were added. */
  listMembers: { input: inputOf(api.list), value: listMessage('MemberList', 'members', MemberSchema) },
  /**
   * Invites a wallet, whether or not it has signed in before. `MEMBER_EXISTS` if it is a member already, in any role;
   * `TOO_MANY_MEMBERS`.
   */
  addMember: { input: inputOf(api.add), value: MemberSchema },
  /**
   * Gives a member another role. It applies at once to its sessions and to the authTokens it created, which are limited to
   * it. `LAST_OWNER` if no owner would remain who has signed in, `MEMBER_NOT_FOUND`.
   */
  changeMember: { input: inputOf(api.change), value: MemberSchema },
  /**
   * Gives a member another name, shown with its wallet. A session of that wallet may do it, whatever its role; other callers
   * need all three scopes. `MEMBER_NOT_FOUND`.
   */
  renameMember: { input: inputOf(api.rename), value: MemberSchema },
  /** Ends a membership, the wallet's sessions and the authTokens it created. Same refusals as changing its role. */
  removeMember: { input: inputOf(api.remove), value: MemberSchema },
  /**
   * The accounts of which a wallet is a member and that are not suspended: those it has joined, then its invitations, newest
   * first; at most 200.
   */
  listMemberships: {
    input: request({
      /** An address in any common spelling. */
      wallet: text,
      chainId: chainId.exactOptional(),
    }),
    value: listMessage('MembershipList', 'memberships', MembershipSchema),
  },
  /**
   * Ends the session of a wallet and starts one in another of its accounts, with the same expiry. `NOT_A_MEMBER` also for a
   * session that began with an authToken, which belongs to one account.
   */
  switchAccount: {
    input: request({
      /** As sent by the caller, `tfs_…`. */
      session: text,
      accountId: text,
    }),
    value: NewSessionSchema,
  },
} as const satisfies CoreMethods;
