import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type RevokeSessionParameters = {
  /** As `listSessions` gives it. */
  readonly sessionId: string;
};

/** Ends a session at once. Throws with status 404 when it is not the account's, or has ended. */
export async function revokeSession(client: ManagementConnection, parameters: RevokeSessionParameters): Promise<void> {
  successBody(await routesOf(client).session.revoke({ params: { sessionId: parameters.sessionId } }));
}
