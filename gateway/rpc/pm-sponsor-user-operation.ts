import {
  type PmSponsorUserOperationParams,
  pmSponsorUserOperation,
} from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import { signedDataJson } from './json/signed-data-json.ts';
import type { RpcMethod } from './rpc-method.ts';
import { sponsorshipRequest } from './sponsorship-request.ts';

export const sponsorUserOperationMethod: RpcMethod<PmSponsorUserOperationParams> = {
  method: pmSponsorUserOperation.method,
  params: pmSponsorUserOperation.params,
  paramCount: 2,
  async handle(core, params, address) {
    const result = await core.sponsorUserOperation(sponsorshipRequest(params, address));
    if (!result.ok) {
      return result;
    }
    const { decisionId } = result.value;
    return { ok: true, value: { ...signedDataJson(result.value), decisionId } };
  },
};
