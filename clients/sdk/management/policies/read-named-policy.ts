import type { NamedPolicyItem } from '@tollfree/contract/policies/named-policy';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type NamedPolicyParameters = ApiKeyParameter & { readonly policyId: string };

/** A policy that requests can choose, with what it is called. */
export async function readNamedPolicy(
  client: ManagementConnection,
  parameters: NamedPolicyParameters,
): Promise<NamedPolicyItem> {
  const { policyId } = parameters;
  const response = await routesOf(client).namedPolicy.read({
    headers: apiKeyHeader(client, parameters),
    params: { policyId },
  });
  return successBody(response).data;
}
