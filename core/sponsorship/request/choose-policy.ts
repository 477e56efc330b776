import { isOwnPolicyId } from '../../domain/policies/policy-id.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorProfile } from '../../management/paymasters/sponsor-profile.ts';
import { policyNotAccepted } from '../../policies/policy-not-accepted.ts';
import type { Asked } from '../run/asked.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import type { Identified } from './identify.ts';

/**
 * The profile by which a request is decided: with the policy that it chose in the place of the default one; and the one that was
 * read, which alone can be asked whether it still holds.
 */
export type Chosen = { readonly profile: SponsorProfile; readonly readProfile: SponsorProfile };

/** Policies named in a refusal at most: it is no list. */
const maxNamed = 10;
/** Characters of an id that are repeated to whoever sent it. */
const maxShown = 64;

/** The policy that the request names, else the default one. An id that may not be chosen is never decided by the default one. */
export const choosePolicy: Step<Asked & Identified, Chosen> = (request) => {
  const { policyId } = request.context;
  const { profile } = request;
  return policyId === undefined || policyId === '' ? accept({ profile, readProfile: profile }) : choose(request);
};

const choose = noted(
  { rule: 'policy', checked: ({ context: { policyId = '' }, profile }) => described(policyId, profile) },
  ({ context: { policyId = '' }, profile, draft }: Asked & Identified): Result<Chosen> => {
    const chosen = profile.named.get(policyId);
    if (chosen !== undefined) {
      draft.policyId = policyId;
      const { policy, callRules, calledLimits } = chosen;
      return accept({ profile: { ...profile, policy, callRules, calledLimits, chosen }, readProfile: profile });
    }
    // One of ours may have been deleted, which nobody may take for the default one.
    if (profile.policy.ignoreForeignPolicyIds && !isOwnPolicyId(policyId))
      return accept({ profile, readProfile: profile });
    return refuse(policyNotAccepted(`${shown(policyId)} is not one that may be chosen here: ${listOf(profile)}`));
  },
);

function described(policyId: string, { named }: SponsorProfile): string {
  const name = named.get(policyId)?.name;
  return `policy ${shown(policyId)}${name === undefined ? ', which is none of this paymaster’s' : ` (${name})`}`;
}

function listOf({ named }: SponsorProfile): string {
  if (named.size === 0) return 'leave it out, as there is only the default policy.';
  const first = [...named.values()].slice(0, maxNamed).map(({ policyId, name }) => `${policyId} (${name})`);
  const more = named.size > maxNamed ? ' and others' : '';
  return `leave it out for the default policy, or choose ${first.join(', ')}${more}.`;
}

function shown(policyId: string): string {
  return policyId.replace(/[^\w.:-]/g, '?').slice(0, maxShown);
}
