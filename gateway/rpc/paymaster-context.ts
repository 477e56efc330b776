import type { PaymasterContext } from '@tollfree/contract/rpc/paymaster-context';
import type { SponsorshipContext } from '../../core/domain/sponsorship.ts';
import { named, sponsorshipContext, type Writable, wishedSeconds } from './sponsorship-request.ts';

/** Converts any form of `context` in ERC-7677 and Pimlico's methods to the core's form. */
export function paymasterContext(sent: PaymasterContext, bearer?: string): SponsorshipContext {
  const { token, validForSeconds, sponsorshipPolicyId, parallelSigning, ...own } = sent ?? {};
  const context: Writable<SponsorshipContext> = sponsorshipContext(own, bearer);
  const feeToken = named(own.tokenInfo?.feeTokenAddress) ?? named(token);
  if (feeToken !== undefined) {
    context.mode ??= 'ERC20';
    context.tokenInfo = { ...context.tokenInfo, feeTokenAddress: feeToken };
  }
  context.mode ??= 'SPONSORED';
  const policyId = named(sponsorshipPolicyId);
  if (policyId !== undefined) {
    context.policyId ??= policyId;
  }
  if (parallelSigning != null) {
    context.parallelSigning = parallelSigning;
  }
  if (validForSeconds != null) {
    context.expiryDuration ??= wishedSeconds(validForSeconds);
  }
  return context;
}
