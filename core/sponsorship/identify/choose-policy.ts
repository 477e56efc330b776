import { accept } from '../../domain/result/result.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import type { Asked } from '../run/asked.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import { findPolicy, shownPolicyId } from './find-policy.ts';
import type { Identified } from './identify.ts';

/**
 *
 *
 * The profile that decides a request, with its chosen policy; and the original profile, which can be checked for changes.
 */
export type Chosen = { readonly profile: SponsorProfile; readonly readProfile: SponsorProfile };

/**
 *
 *
 * The policy that the request names, else the default one. An id that may not be chosen never falls back to the default
 * policy.
 */
export const choosePolicy: Step<Asked & Identified, Chosen> = (request) => {
  const { policyId } = request.context;
  const { profile } = request;
  return policyId === undefined || policyId === '' ? accept({ profile, readProfile: profile }) : choose(request);
};

const choose = noted(
  { rule: 'policy', checked: ({ context: { policyId = '' }, profile }) => described(policyId, profile) },
  async ({ context: { policyId = '' }, profile, draft, parts }: Asked & Identified) => {
    const found = await findPolicy(parts, profile, policyId);
    if (!found.ok) return found;
    if (found.value.chosen !== undefined) draft.policyId = policyId;
    return accept({ profile: found.value, readProfile: profile });
  },
);

function described(policyId: string, { named }: SponsorProfile): string {
  const name = named.get(policyId);
  return `policy ${shownPolicyId(policyId)}${name === undefined ? ', which does not belong to this paymaster' : ` (${name})`}`;
}
