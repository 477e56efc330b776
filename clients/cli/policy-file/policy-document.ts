import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { PolicyItem } from '@tollfree/contract/policy';
import type { ManagementClient } from '@tollfree/sdk/management';

/** A named policy as a file has it: its name stands for its id. */
export type NamedEntry = Pick<NamedPolicyItem, 'name' | 'description' | 'author' | 'icon' | 'enabled' | 'policy'>;

/** What a policy file says, with all that is set in its policies, in the form in which the service answers them. */
export type PolicyDocument = {
  readonly paymasterId?: string;
  readonly policy: PolicyItem;
  /** Absent: the named policies are left alone. */
  readonly policies?: readonly NamedEntry[];
};

/** All policies of a paymaster as the service answers them. */
export type PoliciesInForce = {
  readonly policy: PolicyItem;
  readonly policies: readonly NamedPolicyItem[];
};

export async function readPoliciesInForce(client: ManagementClient): Promise<PoliciesInForce> {
  return { policy: await client.readPolicy(), policies: await client.listPolicies() };
}
