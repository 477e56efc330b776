import { type PmGetPaymasterDataParams, pmGetPaymasterData } from '@tollfree/contract/rpc/pm-get-paymaster-data';
import { jsonObject } from './json/json-text.ts';
import { gasLimitsJson, paymasterFieldsJson } from './json/paymaster-fields-json.ts';
import { paymasterDataRequest } from './paymaster-data-request.ts';
import type { RpcMethod } from './rpc-method.ts';

export const getPaymasterDataMethod: RpcMethod<PmGetPaymasterDataParams> = {
  method: pmGetPaymasterData.method,
  params: pmGetPaymasterData.params,
  paramCount: 4,
  async handle(core, params, address) {
    const request = paymasterDataRequest(params, address);
    if (!request.ok) {
      return request;
    }
    const result = await core.getPaymasterData(request.value);
    if (!result.ok) {
      return result;
    }
    const { signed, gasEstimated } = result.value;
    const limits = gasEstimated ? gasLimitsJson(signed.gas) : {};
    const jsonText = jsonObject({ ...paymasterFieldsJson(signed, signed.gas), ...limits });
    return { ok: true, value: { jsonText, decisionId: signed.decisionId } };
  },
};
