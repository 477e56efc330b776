import {
  type PmValidateSponsorshipPoliciesParams,
  type PmValidateSponsorshipPoliciesResult,
  pmValidateSponsorshipPolicies,
} from '@tollfree/contract/rpc/pm-validate-sponsorship-policies';
import type { SponsoringPolicy } from '../../core/domain/paymaster-data.ts';
import type { RpcMethod } from './rpc-response.ts';
import { rawUserOperation } from './sponsorship-request.ts';

function item({ policyId, name, author, icon, description }: SponsoringPolicy) {
  return {
    sponsorshipPolicyId: policyId,
    data: { name, author, icon: icon ?? null, description: description ?? null },
  };
}

export const validateSponsorshipPoliciesMethod: RpcMethod<PmValidateSponsorshipPoliciesParams> = {
  method: pmValidateSponsorshipPolicies.method,
  params: pmValidateSponsorshipPolicies.params,
  paramCount: 3,
  async handle(core, [userOperation, entryPoint, policyIds], { apiKey, chainId, arrival }) {
    // Limits are always estimated; the operation's own are ignored.
    const { callGasLimit: _, verificationGasLimit: __, preVerificationGas: ___, ...operation } = userOperation;
    const asked = { apiKey, chainId, arrival, entryPoint, policyIds, userOperation: rawUserOperation(operation) };
    const result = await core.validatePolicies(asked);
    if (!result.ok) return result;
    const value: PmValidateSponsorshipPoliciesResult = result.value.map(item);
    return { ok: true, value: { jsonText: JSON.stringify(value) } };
  },
};
