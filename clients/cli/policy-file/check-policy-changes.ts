import type { ManagementClient } from '@tollfree/sdk/management';
import { mistake } from '../terminal/cli-error.ts';
import type { PolicyChange } from './find-policy-changes.ts';
import type { PolicyDocument } from './policy-document.ts';

/**
 * Has the service judge each policy that would be set, before one is: its contracts have to be registered. A preview of one
 * decision checks as much as setting it does, changes nothing, and needs no more than to read.
 */
export async function checkPolicyChanges(
  client: ManagementClient,
  document: PolicyDocument,
  changes: readonly PolicyChange[],
): Promise<void> {
  for (const { action, name, policyId } of changes) {
    if (action === 'delete') continue;
    const index = document.policies?.findIndex((entry) => entry.name === name) ?? -1;
    const policy = name === undefined ? document.policy : document.policies?.[index]?.policy;
    if (policy === undefined) continue;
    try {
      await client.previewPolicy({ policy, policyId, last: 1 });
    } catch (error) {
      if (!(error instanceof Error) || !('status' in error) || error.status !== 400) throw error;
      const location = name === undefined ? 'policy' : `policies[${index}].policy`;
      throw mistake(`The service would not accept the policy file: ${location}.${error.message}`, error);
    }
  }
}
