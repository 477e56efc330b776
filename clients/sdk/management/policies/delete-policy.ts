import { apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';
import type { NamedPolicyParameters } from './read-named-policy.ts';

/** Deletes a policy: requests that name it are refused from then on. */
export async function deletePolicy(client: ManagementConnection, parameters: NamedPolicyParameters): Promise<void> {
  const { policyId } = parameters;
  const response = await routesOf(client).namedPolicy.delete({
    headers: apiKeyHeader(client, parameters),
    params: { policyId },
  });
  successBody(response);
}
