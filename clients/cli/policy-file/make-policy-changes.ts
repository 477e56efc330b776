import type { ManagementClient } from '@tollfree/sdk/management';
import { tryAgain } from '../terminal/cli-error.ts';
import { canonicalText, type PolicyChange } from './find-policy-changes.ts';
import { type PoliciesInForce, type PolicyDocument, readPoliciesInForce } from './policy-document.ts';

/** A planned change and, as far as it got, what was made. */
export type Made = { readonly change: PolicyChange; readonly policyId?: string };

/**
 * Makes the changes one by one, calling `note` after each. Right before each one it compares the current policy with
 * `inForce`, so that no concurrent change is overwritten, except within the time between two requests. Throws a `CliError`,
 * or the service's refusal, at the first change that fails.
 */
export async function makePolicyChanges(
  client: ManagementClient,
  { document, inForce }: { readonly document: PolicyDocument; readonly inForce: PoliciesInForce },
  changes: readonly PolicyChange[],
  note: (made: Made) => void,
): Promise<void> {
  if (canonicalText(await readPoliciesInForce(client)) !== canonicalText(inForce)) throw changedMeanwhile();
  for (const change of changes) note(await makeChange(client, { document, inForce }, change));
}

async function makeChange(
  client: ManagementClient,
  { document, inForce }: { readonly document: PolicyDocument; readonly inForce: PoliciesInForce },
  change: PolicyChange,
): Promise<Made> {
  const { action, name, policyId } = change;
  if (name === undefined) {
    if (canonicalText(await client.readPolicy()) !== canonicalText(inForce.policy)) throw changedMeanwhile();
    await client.setPolicy({ policy: document.policy });
    return { change };
  }
  const entry = document.policies?.find((one) => one.name === name);
  if (action === 'create' && entry !== undefined) {
    return { change, policyId: (await client.createPolicy(entry)).policyId };
  }
  if (policyId === undefined) throw new Error('An existing policy has an id.');
  const known = inForce.policies.find((one) => one.policyId === policyId);
  if (canonicalText(await client.readNamedPolicy({ policyId })) !== canonicalText(known)) throw changedMeanwhile();
  if (action === 'delete') await client.deletePolicy({ policyId });
  else if (entry !== undefined) await client.replacePolicy({ policyId, ...entry });
  return { change, policyId };
}

function changedMeanwhile() {
  return tryAgain('The policies were changed in the meantime. Review the changes again.');
}
