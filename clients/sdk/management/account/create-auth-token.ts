import type { Scope } from '@tollfree/contract/access/scope';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { CreatedAuthToken } from '@tollfree/contract/sign-in/auth-token';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type CreateAuthTokenParameters = {
  /** What it is listed under. */
  readonly name: string;
  /** Unix seconds. Without this and `expiresInDays` it does not expire. */
  readonly expiresAt?: number | undefined;
  /** Days from now, instead of `expiresAt`. */
  readonly expiresInDays?: number | undefined;
  /** What it may: `read`, `manage`, `funds`, of those that the client's own authToken has. Without this all of them. */
  readonly scopes?: readonly Scope[] | undefined;
};

/** A new authToken of the account, with no more rights than the one it is asked with. It is in this answer and never again. */
export async function createAuthToken(
  client: ManagementConnection,
  parameters: CreateAuthTokenParameters,
): Promise<CreatedAuthToken> {
  const { name, expiresAt, expiresInDays, scopes } = parameters;
  const response = await routesOf(client).authToken.create({
    body: { name, ...omitAbsent({ expiresAt, expiresInDays, scopes: scopes && [...scopes] }) },
  });
  return successBody(response).data;
}
