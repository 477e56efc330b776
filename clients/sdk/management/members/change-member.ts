import type { MemberItem } from '@tollfree/contract/access/member';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';
import type { AddMemberParameters } from './add-member.ts';

/**
 * Gives a member another role, at once: for its sessions too, and the authTokens it has made. Throws with status 400 where no
 * owner would be left who has signed in.
 */
export async function changeMember(client: ManagementConnection, parameters: AddMemberParameters): Promise<MemberItem> {
  const { wallet, role } = parameters;
  return successBody(await routesOf(client).member.change({ params: { wallet }, body: { role } })).data;
}
