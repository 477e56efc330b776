import type { Session } from '@tollfree/contract/sign-in/session';
import type { ManagementConnection } from '../management-connection.ts';
import { successBody } from '../success-body.ts';

/** Whose the client's authToken is, and until when. */
export async function readSession(client: ManagementConnection): Promise<Session> {
  return successBody(await client.routes.session.read()).data;
}
