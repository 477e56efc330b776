import type { ManagementClient } from '@tollfree/sdk/management';
import { tryAgain } from '../terminal/cli-error.ts';
import { canonicalText, type PolicyChange } from './find-policy-changes.ts';
import { type PoliciesInForce, type PolicyDocument, readPoliciesInForce } from './policy-document.ts';

/** What was to be made, and as far as it came, what is made. */
export type Made = { readonly change: PolicyChange; readonly policyId?: string };

/**
 * Makes the changes one after the other; `note` is told of each that is made. What `inForce` was is compared right
 * before each, so that nothing someone else has changed in the meantime is overwritten: there is no more than the way
 * of two requests between the two. Throws a `CliError`, or what the service has refused, at the first that cannot be
 * made.
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
