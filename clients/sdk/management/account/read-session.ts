import type { Session } from '@tollfree/contract/sign-in/session';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** Whose the client's authToken is, and until when. */
export async function readSession(client: ManagementConnection): Promise<Session> {
  return successBody(await routesOf(client).session.read()).data;
}
