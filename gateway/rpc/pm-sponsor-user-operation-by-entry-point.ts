import {
  type PmSponsorUserOperationByEntryPointParams,
  pmSponsorUserOperationByEntryPoint,
} from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import { jsonObject } from './json/json-text.ts';
import { gasLimitsJson, paymasterFieldsJson } from './json/paymaster-fields-json.ts';
import { paymasterContext } from './paymaster-context.ts';
import type { RpcMethod } from './rpc-method.ts';
import { rawUserOperation } from './sponsorship-request.ts';

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
    if (!result.ok) {
      return result;
    }
    const { signed } = result.value;
    return {
      ok: true,
      value: {
        jsonText: jsonObject({ ...paymasterFieldsJson(signed, signed.gas), ...gasLimitsJson(signed.gas) }),
        decisionId: signed.decisionId,
      },
    };
  },
};
