import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { PolicyItem } from '@tollfree/contract/policy';
import type { ManagementClient } from '@tollfree/sdk/management';

/** All policies of a paymaster, as returned by the service. */
export type PoliciesInForce = {
  readonly policy: PolicyItem;
  readonly policies: readonly NamedPolicyItem[];
};

export async function readPoliciesInForce(client: ManagementClient): Promise<PoliciesInForce> {
  return { policy: await client.readPolicy(), policies: await client.listPolicies() };
}
