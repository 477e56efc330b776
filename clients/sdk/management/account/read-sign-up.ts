import type { SignUp } from '@tollfree/contract/sign-in/session';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** Who gets an account by signing in with a wallet. Throws with status 404 where no one signs in from a browser. */
export async function readSignUp(client: ManagementConnection): Promise<SignUp['signUp']> {
  return successBody(await routesOf(client).session.readSignUp()).data.signUp;
}
