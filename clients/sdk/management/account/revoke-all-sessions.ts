import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** Signs out every browser that is signed in to the account. AuthTokens stay as they are. */
export async function revokeAllSessions(client: ManagementConnection): Promise<void> {
  successBody(await routesOf(client).session.revokeAll());
}
