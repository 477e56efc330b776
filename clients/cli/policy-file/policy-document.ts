import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { PolicyItem } from '@tollfree/contract/policy';
import type { ManagementClient } from '@tollfree/sdk/management';

/** A named policy in a file: its name replaces its id. */
export type NamedEntry = Pick<NamedPolicyItem, 'name' | 'description' | 'author' | 'icon' | 'enabled' | 'policy'>;

/** The content of a policy file, with complete policies in the form of the service's answers. */
export type PolicyDocument = {
  readonly paymasterId?: string;
  readonly policy: PolicyItem;
  /** Absent: named policies are not changed. */
  readonly policies?: readonly NamedEntry[];
};

/** All policies of a paymaster, as returned by the service. */
export type PoliciesInForce = {
  readonly policy: PolicyItem;
  readonly policies: readonly NamedPolicyItem[];
};

export async function readPoliciesInForce(client: ManagementClient): Promise<PoliciesInForce> {
  return { policy: await client.readPolicy(), policies: await client.listPolicies() };
}
