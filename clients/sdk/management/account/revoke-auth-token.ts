import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type RevokeAuthTokenParameters = {
  /** As `listAuthTokens` gives it: the id, not the token. */
  readonly authTokenId: string;
};

/** Revokes an authToken at once, and ends the sessions that began with it. Throws with status 404 when it is not the account's. */
export async function revokeAuthToken(
  client: ManagementConnection,
  parameters: RevokeAuthTokenParameters,
): Promise<void> {
  successBody(await routesOf(client).authToken.delete({ body: { authTokenId: parameters.authTokenId } }));
}
