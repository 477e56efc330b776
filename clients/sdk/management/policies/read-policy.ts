import type { PolicyItem } from '@tollfree/contract/policy';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The paymaster's policy, with all that is set in it. Wei and USD are decimal text. */
export async function readPolicy(client: ManagementConnection, parameters: ApiKeyParameter = {}): Promise<PolicyItem> {
  const response = await routesOf(client).policy.read({ headers: apiKeyHeader(client, parameters) });
  return successBody(response).data;
}
