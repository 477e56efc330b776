import {
  type PmValidateSponsorshipPoliciesResult,
  pmValidateSponsorshipPolicies,
} from '@tollfree/contract/rpc/pm-validate-sponsorship-policies';
import type { Address } from 'viem';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';
import { type PartialUserOperationRequest, toWireUserOperation } from './user-operation-request.ts';

export type ValidateSponsorshipPoliciesParameters = {
  readonly userOperation: PartialUserOperationRequest;
  readonly entryPointAddress: Address;
  /** Ids of policies of the paymaster, 10 at most. */
  readonly sponsorshipPolicyIds: readonly string[];
};

/**
 * `pm_validateSponsorshipPolicies`: those of some policies that would sponsor an operation now, with what can be shown of them.
 * Webhooks are not asked and taken to agree.
 */
export async function validateSponsorshipPolicies(
  client: SponsorConnection,
  parameters: ValidateSponsorshipPoliciesParameters,
): Promise<PmValidateSponsorshipPoliciesResult> {
  const { userOperation, entryPointAddress, sponsorshipPolicyIds } = parameters;
  const params = [toWireUserOperation(userOperation), entryPointAddress, sponsorshipPolicyIds];
  return checkResult(
    await client.call(pmValidateSponsorshipPolicies.method, params),
    pmValidateSponsorshipPolicies.result,
  );
}
