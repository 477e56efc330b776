import type {
  PmValidateSponsorshipPoliciesResult,
  pmValidateSponsorshipPolicies,
} from '@tollfree/contract/rpc/pm-validate-sponsorship-policies';
import type { Address } from 'viem';
import { type Read, readArray, readObject, readText } from './read-form.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';
import { type PartialUserOperationRequest, toWireUserOperation } from './user-operation-request.ts';

const method = 'pm_validateSponsorshipPolicies' satisfies typeof pmValidateSponsorshipPolicies.method;

export type ValidateSponsorshipPoliciesParameters = {
  readonly userOperation: PartialUserOperationRequest;
  readonly entryPointAddress: Address;
  /** Ids of policies of the paymaster, 10 at most. */
  readonly sponsorshipPolicyIds: readonly string[];
};

type Policy = PmValidateSponsorshipPoliciesResult[number];

const readTextOrNull: Read<string | null> = (value) => (value === null ? null : readText(value));
const readPolicies = readArray(
  readObject<Policy>({
    sponsorshipPolicyId: readText,
    data: readObject<Policy['data']>({
      name: readTextOrNull,
      author: readTextOrNull,
      icon: readTextOrNull,
      description: readTextOrNull,
    }),
  }),
);

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
  return checkResult(await client.call(method, params), readPolicies);
}
