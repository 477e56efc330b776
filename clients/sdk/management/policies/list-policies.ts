import type { NamedPolicyItem } from '@tollfree/contract/policies/named-policy';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

/** The policies that requests can choose, by name; the default one is not among them. */
export async function listPolicies(
  client: ManagementConnection,
  parameters: ApiKeyParameter = {},
): Promise<NamedPolicyItem[]> {
  const response = await routesOf(client).namedPolicy.list({ headers: apiKeyHeader(client, parameters) });
  return successBody(response).data;
}
