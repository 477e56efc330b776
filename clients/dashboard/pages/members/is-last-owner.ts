import type { MemberItem } from '@tollfree/contract/access/member';

/** Whether the service keeps this member an owner: no one else could act for the account who has signed in before. */
export function isLastOwner(members: readonly MemberItem[], { wallet, role, joinedAt }: MemberItem): boolean {
  if (role !== 'owner') return false;
  const others = members.filter((one) => one.role === 'owner' && one.wallet !== wallet);
  return joinedAt === undefined ? others.length === 0 : others.every((one) => one.joinedAt === undefined);
}
