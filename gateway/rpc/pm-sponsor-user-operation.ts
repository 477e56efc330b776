import {
  type PmSponsorUserOperationByEntryPointParams,
  type PmSponsorUserOperationParams,
  pmSponsorUserOperation,
  pmSponsorUserOperationByEntryPoint,
  type ZdSponsorUserOperationParams,
  zdSponsorUserOperation,
} from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import { gasLimitsJson, jsonObject, paymasterFieldsJson, signedDataJson, validityJson } from './json.ts';
import { checkChainId, paymasterContext } from './paymaster-data-request.ts';
import type { RpcMethod } from './rpc-response.ts';
import { rawUserOperation, sponsorshipRequest } from './sponsorship-request.ts';

export const sponsorUserOperationMethod: RpcMethod<PmSponsorUserOperationParams> = {
  method: pmSponsorUserOperation.method,
  params: pmSponsorUserOperation.params,
  paramCount: 2,
  async handle(core, params, address) {
    const result = await core.sponsorUserOperation(sponsorshipRequest(params, address));
    if (!result.ok) return result;
    const { decisionId } = result.value;
    return { ok: true, value: { ...signedDataJson(result.value), decisionId } };
  },
};

export const sponsorUserOperationByEntryPointMethod: RpcMethod<PmSponsorUserOperationByEntryPointParams> = {
  method: pmSponsorUserOperationByEntryPoint.method,
  params: pmSponsorUserOperationByEntryPoint.params,
  paramCount: 3,
  async handle(core, [userOperation, entryPoint, context], { apiKey, chainId, clientAddress, arrival, bearer }) {
    const result = await core.getPaymasterData({
      apiKey,
      chainId,
      clientAddress,
      arrival,
      userOperation: rawUserOperation(userOperation),
      context: { ...paymasterContext(context, bearer), calculateGasLimits: true, keepsGivenLimits: true },
      entryPoint,
    });
    if (!result.ok) return result;
    const { signed } = result.value;
    const limits = gasLimitsJson(signed.gas);
    return {
      ok: true,
      value: {
        jsonText: jsonObject({ ...paymasterFieldsJson(signed, signed.gas), ...limits, ...validityJson(signed) }),
        decisionId: signed.decisionId,
      },
    };
  },
};

export const zdSponsorUserOperationMethod: RpcMethod<ZdSponsorUserOperationParams> = {
  method: zdSponsorUserOperation.method,
  params: zdSponsorUserOperation.params,
  paramCount: 1,
  async handle(core, [{ chainId, userOp, entryPointAddress, gasTokenData }], address) {
    const foreign = checkChainId(chainId, address.chainId);
    if (foreign !== undefined) {
      return { ok: false, refusal: { ...foreign, field: 'params[0].chainId' } };
    }
    const context = gasTokenData == null ? {} : { token: gasTokenData.tokenAddress };
    return sponsorUserOperationByEntryPointMethod.handle(core, [userOp, entryPointAddress, context], address);
  },
};
