import type { AuthTokenItem } from '@tollfree/contract/sign-in/auth-token';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The account's authTokens by name and times, oldest first, never the tokens. Revoked and expired ones are among them. */
export async function listAuthTokens(client: ManagementConnection): Promise<readonly AuthTokenItem[]> {
  return successBody(await routesOf(client).authToken.list()).data;
}
