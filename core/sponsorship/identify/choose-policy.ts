import { isOwnPolicyId } from '../../domain/named-policy.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { policyNotAccepted } from '../../policies/policy-key.ts';
import { type Asked, noted, type Step } from '../run/steps.ts';
import type { Identified } from './identify.ts';

/**
 * The profile that decides a request, with its chosen policy; and the original profile, which can be checked for changes.
 */
export type Chosen = { readonly profile: SponsorProfile; readonly readProfile: SponsorProfile };

/**
 * The policy that the request names, else the default one. An id that may not be chosen never falls back to the default
 * policy.
 */
export const choosePolicy: Step<Asked & Identified, Chosen> = (request) => {
  const { policyId } = request.context;
  const { profile } = request;
  return policyId === undefined || policyId === '' ? accept({ profile, readProfile: profile }) : choose(request);
};

const choose = noted(
  {
    rule: 'policy',
    finding: ({ context: { policyId = '' }, profile: { named } }) => [
      'policy',
      shownPolicyId(policyId),
      named.get(policyId),
    ],
  },
  async ({ context: { policyId = '' }, profile, draft, parts }: Asked & Identified) => {
    const found = await findPolicy(parts, profile, policyId);
    if (!found.ok) return found;
    if (found.value.chosen !== undefined) draft.policyId = policyId;
    return accept({ profile: found.value, readProfile: profile });
  },
);

/** Most policies that a refusal names, which is not a listing. */
const maxNamed = 10;
/** Most characters of an id that are echoed. */
const maxShown = 64;

/** The profile with a named policy, if it may be chosen. */
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
  // One of our own ids may belong to a deleted policy, which the default one must not replace.
  if (profile.policy.ignoreForeignPolicyIds && !isOwnPolicyId(policyId)) return accept(profile);
  return refuse(policyNotAccepted(`${shownPolicyId(policyId)} cannot be chosen here: ${listOf(profile)}`));
}

function listOf({ named }: SponsorProfile): string {
  if (named.size === 0) return 'leave it out, because there is only the default policy.';
  const first = [...named].slice(0, maxNamed).map(([policyId, name]) => `${policyId} (${name})`);
  const more = named.size > maxNamed ? ' and others' : '';
  return `leave it out for the default policy, or choose ${first.join(', ')}${more}.`;
}

/** A received id, safe for a message. */
function shownPolicyId(policyId: string): string {
  return policyId.replace(/[^\w.:-]/g, '?').slice(0, maxShown);
}
