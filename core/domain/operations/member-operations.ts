import type { Member, Membership } from '../access/member.ts';
import type { Result } from '../result/result.ts';
import type { NewSession } from '../sign-in.ts';

/** Who signs in to an account, and as what. What changes members is for owners: for callers with all scopes. */
export type MemberOperations = {
  /** Owners first, then by when they were added. */
  listMembers(input: { accountId: string }): Promise<Result<readonly Member[]>>;
  /**
   * Invites a wallet, which may have signed in before or not. `MEMBER_EXISTS` where it is one of the account's, whatever its
   * role; `TOO_MANY_MEMBERS`.
   */
  addMember(input: { accountId: string; wallet: string; role: string; chainId?: number }): Promise<Result<Member>>;
  /**
   * Gives a member another role. It holds at once for its sessions and for the authTokens it has made, which may no more than
   * it. `LAST_OWNER` where no owner would be left who has signed in, `MEMBER_NOT_FOUND`.
   */
  changeMember(input: { accountId: string; wallet: string; role: string }): Promise<Result<Member>>;
  /** Ends a membership with the sessions of the wallet and the authTokens it has made. Refused like a change of its role. */
  removeMember(input: { accountId: string; wallet: string }): Promise<Result<Member>>;
  /**
   * Accounts that a wallet is a member of and that are not suspended: those it has joined, then its invitations, the newest
   * first; 200 at most.
   */
  listMemberships(input: { wallet: string; chainId?: number }): Promise<Result<readonly Membership[]>>;
  /**
   * Ends the session of a wallet and begins one of another of its accounts, which lasts no longer. `NOT_A_MEMBER` also for a
   * session that began with an authToken, which is of one account.
   */
  switchAccount(input: { session: string; accountId: string }): Promise<Result<NewSession>>;
};
