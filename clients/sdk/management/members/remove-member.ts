import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type RemoveMemberParameters = {
  /** As `listMembers` gives it. */
  readonly wallet: string;
};

/**
 * Removes a member, with the wallet's sessions and the authTokens it has made. Throws with status 400 where no owner would be
 * left who has signed in.
 */
export async function removeMember(client: ManagementConnection, parameters: RemoveMemberParameters): Promise<void> {
  successBody(await routesOf(client).member.remove({ params: { wallet: parameters.wallet } }));
}
