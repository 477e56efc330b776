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
  /** Only for a contract wallet, such as a Safe: the chain that it is on. */
  readonly chainId?: number;
};

/** Invites a wallet to the account. Needs all three scopes, like every change of members. */
export async function addMember(client: ManagementConnection, parameters: AddMemberParameters): Promise<MemberItem> {
  const { wallet, role, chainId } = parameters;
  const body = { wallet, role, ...(chainId === undefined ? {} : { chainId }) };
  return successBody(await routesOf(client).member.add({ body })).data;
}
