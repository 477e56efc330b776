import { chainId, listMessage, request, text } from '../../base/message-schema.ts';
import { MemberSchema, MembershipSchema } from '../access/member.ts';
import { NewSessionSchema } from '../sign-in.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** Who signs in to an account, and as what. What changes members is for owners: for callers with all scopes. */
export const memberOperations = {
  /** Owners first, then by when they were added. */
  listMembers: { input: request({ accountId: text }), value: listMessage('MemberList', 'members', MemberSchema) },
  /**
   * Invites a wallet, which may have signed in before or not. `MEMBER_EXISTS` where it is one of the account's, whatever its
   * role; `TOO_MANY_MEMBERS`.
   */
  addMember: {
    input: request({ accountId: text, wallet: text, role: text, chainId: chainId.exactOptional() }),
    value: MemberSchema,
  },
  /**
   * Gives a member another role. It holds at once for its sessions and for the authTokens it has made, which may no more than
   * it. `LAST_OWNER` where no owner would be left who has signed in, `MEMBER_NOT_FOUND`.
   */
  changeMember: { input: request({ accountId: text, wallet: text, role: text }), value: MemberSchema },
  /** Ends a membership with the sessions of the wallet and the authTokens it has made. Refused like a change of its role. */
  removeMember: { input: request({ accountId: text, wallet: text }), value: MemberSchema },
  /**
   * Accounts that a wallet is a member of and that are not suspended: those it has joined, then its invitations, the newest
   * first; 200 at most.
   */
  listMemberships: {
    input: request({
      /** As people write an address. */
      wallet: text,
      chainId: chainId.exactOptional(),
    }),
    value: listMessage('MembershipList', 'memberships', MembershipSchema),
  },
  /**
   * Ends the session of a wallet and begins one of another of its accounts, which lasts no longer. `NOT_A_MEMBER` also for a
   * session that began with an authToken, which is of one account.
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
export type MemberOperations = OperationsOf<typeof memberOperations>;
