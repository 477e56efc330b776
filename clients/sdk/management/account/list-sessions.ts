import type { OpenSession } from '@tollfree/contract/sign-in/session';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The sessions of browsers that are signed in to the account, newest first. */
export async function listSessions(client: ManagementConnection): Promise<readonly OpenSession[]> {
  return successBody(await routesOf(client).session.list()).data;
}
