import type { MemberItem } from '@tollfree/contract/access/member';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The wallets that sign in to the account, each in a role: owners first. */
export async function listMembers(client: ManagementConnection): Promise<readonly MemberItem[]> {
  return successBody(await routesOf(client).member.list()).data;
}
