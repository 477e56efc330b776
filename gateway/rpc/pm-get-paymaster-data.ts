import { omitAbsent } from '@tollfree/contract/omit-absent';
import { pmGetPaymasterData, pmGetPaymasterStubData } from '@tollfree/contract/rpc/pm-get-paymaster-data';
import { gasLimitsJson, jsonObject, paymasterFieldsJson } from './json.ts';
import { paymasterDataMethod } from './paymaster-data-request.ts';

export const getPaymasterDataMethod = paymasterDataMethod(
  pmGetPaymasterData,
  (core, request) => core.getPaymasterData(request),
  ({ signed, gasEstimated }) => {
    const limits = gasEstimated ? gasLimitsJson(signed.gas) : {};
    const jsonText = jsonObject({ ...paymasterFieldsJson(signed, signed.gas), ...limits });
    return { jsonText, decisionId: signed.decisionId };
  },
);

export const getPaymasterStubDataMethod = paymasterDataMethod(
  pmGetPaymasterStubData,
  (core, request) => core.getPaymasterStubData(request),
  (stub) => {
    const { sponsorName: name, sponsorIcon: icon, decisionId } = stub;
    const sponsor = name === undefined ? {} : { sponsor: JSON.stringify({ name, ...omitAbsent({ icon }) }) };
    // Clients copy every unknown field into the operation, so only the standard's fields are returned.
    return { jsonText: jsonObject({ ...sponsor, ...paymasterFieldsJson(stub, stub) }), decisionId };
  },
);
