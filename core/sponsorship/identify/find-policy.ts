import { isOwnPolicyId } from '../../domain/policies/named-policy.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { policyNotAccepted } from '../../policies/policy-key.ts';

/** Policies named in a refusal at most: it is no list. */
const maxNamed = 10;
/** Characters of an id that are repeated to its sender. */
const maxShown = 64;

/** The profile with the policy of an id instead of the default one, where it may be chosen. */
export async function findPolicy(
  { profiles }: { readonly profiles: Pick<SponsorProfiles, 'choose'> },
  profile: SponsorProfile,
  policyId: string,
): Promise<Result<SponsorProfile>> {
  const chosen = await profiles.choose(profile, policyId);
  if (chosen !== undefined) {
    const { policy, callRules, calledLimits } = chosen;
    return accept({ ...profile, policy, callRules, calledLimits, chosen });
  }
  // One of ours may have been deleted, which no one may take for the default one.
  if (profile.policy.ignoreForeignPolicyIds && !isOwnPolicyId(policyId)) return accept(profile);
  return refuse(policyNotAccepted(`${shownPolicyId(policyId)} cannot be chosen here: ${listOf(profile)}`));
}

function listOf({ named }: SponsorProfile): string {
  if (named.size === 0) return 'leave it out, because there is only the default policy.';
  const first = [...named].slice(0, maxNamed).map(([policyId, name]) => `${policyId} (${name})`);
  const more = named.size > maxNamed ? ' and others' : '';
  return `leave it out for the default policy, or choose ${first.join(', ')}${more}.`;
}

/** An id that someone sent, fit for a message. */
export function shownPolicyId(policyId: string): string {
  return policyId.replace(/[^\w.:-]/g, '?').slice(0, maxShown);
}
