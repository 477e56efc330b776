import type { NamedPolicyItem, NamedPolicyRequest } from '@tollfree/contract/policies/named-policy';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type CreatePolicyParameters = ApiKeyParameter & NamedPolicyRequest;

/** Makes a policy next to the default one, which requests choose by its `policyId`. */
export async function createPolicy(
  client: ManagementConnection,
  parameters: CreatePolicyParameters,
): Promise<NamedPolicyItem> {
  const { apiKey: _, ...body } = parameters;
  const response = await routesOf(client).namedPolicy.create({ headers: apiKeyHeader(client, parameters), body });
  return successBody(response).data;
}
