import type { MemberItem } from '@tollfree/contract/access/member';
import type { Role } from '@tollfree/contract/access/role';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type AddMemberParameters = {
  /** Address of the wallet. It need not have signed in before. */
  readonly wallet: string;
  /** `owner`: everything, members included. `manager`: what can be set. `viewer`: looks. */
  readonly role: Role;
};

/** Invites a wallet to the account. Needs all three scopes, like every change of members. */
export async function addMember(client: ManagementConnection, parameters: AddMemberParameters): Promise<MemberItem> {
  const { wallet, role } = parameters;
  return successBody(await routesOf(client).member.add({ body: { wallet, role } })).data;
}
