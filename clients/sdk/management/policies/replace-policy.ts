import type { NamedPolicyItem } from '@tollfree/contract/policies/named-policy';
import { apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';
import type { CreatePolicyParameters } from './create-policy.ts';
import type { NamedPolicyParameters } from './read-named-policy.ts';

export type ReplacePolicyParameters = CreatePolicyParameters & NamedPolicyParameters;

/** Replaces a policy that requests can choose, and what it is called: what is left out is no longer set. */
export async function replacePolicy(
  client: ManagementConnection,
  parameters: ReplacePolicyParameters,
): Promise<NamedPolicyItem> {
  const { apiKey: _, policyId, ...body } = parameters;
  const response = await routesOf(client).namedPolicy.replace({
    headers: apiKeyHeader(client, parameters),
    params: { policyId },
    body,
  });
  return successBody(response).data;
}
