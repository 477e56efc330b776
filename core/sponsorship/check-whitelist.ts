import type { InnerCall } from '../account-decoders/decoder.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import type { SponsorProfile } from '../paymasters/sponsor-profiles.ts';

/** A paymaster without a single registered contract sponsors nothing. Clients fall back to self-pay on the text. */
export function checkPoliciesSet(profile: SponsorProfile): Result<true> {
  if (profile.contracts.size > 0) return accept(true);
  return refuse({
    reason: 'NO_POLICIES',
    message:
      'No policies were set for this paymaster. Register the smart contracts it may sponsor to allow gas sponsorship.',
  });
}

/** Fourth step: every inner call goes to a registered contract and a whitelisted method; one that does not refuses all. */
export function checkWhitelist(profile: SponsorProfile, calls: readonly InnerCall[]): Result<true> {
  for (const call of calls) {
    const contract = profile.contracts.get(call.target.toLowerCase());
    if (contract === undefined) {
      return refuse({
        reason: 'CONTRACT_NOT_REGISTERED',
        message: `Smart contract data not found: ${call.target} is not registered with this paymaster.`,
        details: { target: call.target },
      });
    }
    if (call.selector === undefined || !contract.selectors.has(call.selector)) {
      const what = call.selector === undefined ? 'A plain transfer' : `The method ${call.selector}`;
      return refuse({
        reason: 'METHOD_NOT_WHITELISTED',
        message: `${what} of the registered contract ${call.target} is not whitelisted.`,
        details: { target: call.target, ...(call.selector === undefined ? {} : { selector: call.selector }) },
      });
    }
  }
  return accept(true);
}
