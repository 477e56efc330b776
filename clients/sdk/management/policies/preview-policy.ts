import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import { apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';
import type { SetPolicyParameters } from './set-policy.ts';

export type PreviewPolicyParameters = SetPolicyParameters & {
  /** How many of the last decisions are decided again, 1 to 1000; 100 by default. */
  readonly last?: number | undefined;
  /** The policy in whose place it is tried; the default one when absent. */
  readonly policyId?: string | undefined;
};

/** Which of the paymaster's last decisions a policy would have turned the other way. Sets nothing. */
export async function previewPolicy(
  client: ManagementConnection,
  parameters: PreviewPolicyParameters,
): Promise<PolicyPreviewItem> {
  const { policy, last, policyId } = parameters;
  const request = {
    headers: apiKeyHeader(client, parameters),
    query: last === undefined ? {} : { last: String(last) },
    body: policy,
  };
  const routes = routesOf(client);
  if (policyId === undefined) return successBody(await routes.policy.preview(request)).data;
  return successBody(await routes.namedPolicy.preview({ ...request, params: { policyId } })).data;
}
