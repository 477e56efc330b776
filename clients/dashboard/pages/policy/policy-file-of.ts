import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { PolicyItem } from '@tollfree/contract/policy';

/** All policies of a paymaster as a file for `tollfree policy diff` and `apply`. */
export function policyFileOf(policy: PolicyItem, named: readonly NamedPolicyItem[]): string {
  const policies = named.map(({ policyId: _, createdAt: __, updatedAt: ___, ...fields }) => fields);
  return `${JSON.stringify({ policy, policies }, null, 2)}\n`;
}
