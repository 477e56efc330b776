import type { PolicyItem, PolicyRequest } from '@tollfree/contract/policy';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type SetPolicyParameters = ApiKeyParameter & {
  /** Replaces the whole policy: a field that is left out is no longer set. */
  readonly policy: PolicyRequest;
};

/** Replaces the paymaster's policy; it is in force from the next request on. */
export async function setPolicy(client: ManagementConnection, parameters: SetPolicyParameters): Promise<PolicyItem> {
  const response = await routesOf(client).policy.set({
    headers: apiKeyHeader(client, parameters),
    body: parameters.policy,
  });
  return successBody(response).data;
}
