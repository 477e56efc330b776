import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  type PmGetPaymasterDataParams,
  type PmGetPaymasterStubDataParams,
  pmGetPaymasterData,
  pmGetPaymasterStubData,
} from '@tollfree/contract/rpc/pm-get-paymaster-data';
import { gasLimitsJson, jsonObject, paymasterFieldsJson } from './json.ts';
import { paymasterDataRequest } from './paymaster-data-request.ts';
import type { RpcMethod } from './rpc-response.ts';

export const getPaymasterDataMethod: RpcMethod<PmGetPaymasterDataParams> = {
  method: pmGetPaymasterData.method,
  params: pmGetPaymasterData.params,
  paramCount: 4,
  async handle(core, params, address) {
    const request = paymasterDataRequest(params, address);
    if (!request.ok) return request;
    const result = await core.getPaymasterData(request.value);
    if (!result.ok) return result;
    const { signed, gasEstimated } = result.value;
    const limits = gasEstimated ? gasLimitsJson(signed.gas) : {};
    const jsonText = jsonObject({ ...paymasterFieldsJson(signed, signed.gas), ...limits });
    return { ok: true, value: { jsonText, decisionId: signed.decisionId } };
  },
};

export const getPaymasterStubDataMethod: RpcMethod<PmGetPaymasterStubDataParams> = {
  method: pmGetPaymasterStubData.method,
  params: pmGetPaymasterStubData.params,
  paramCount: 4,
  async handle(core, params, address) {
    const request = paymasterDataRequest(params, address);
    if (!request.ok) return request;
    const result = await core.getPaymasterStubData(request.value);
    if (!result.ok) return result;
    const { sponsorName, sponsorIcon: icon } = result.value;
    // Clients copy every unknown field into the operation, so only the standard's fields are returned.
    return {
      ok: true,
      value: {
        jsonText: jsonObject({
          ...(sponsorName === undefined
            ? {}
            : { sponsor: JSON.stringify({ name: sponsorName, ...omitAbsent({ icon }) }) }),
          ...paymasterFieldsJson(result.value, result.value),
        }),
        decisionId: result.value.decisionId,
      },
    };
  },
};
