import { omitAbsent } from '@tollfree/contract/omit-absent';
import { pmGetPaymasterData, pmGetPaymasterStubData } from '@tollfree/contract/rpc/pm-get-paymaster-data';
import { gasLimitsJson, jsonObject, paymasterFieldsJson, validityJson } from './json.ts';
import { paymasterDataMethod } from './paymaster-data-request.ts';

export const getPaymasterDataMethod = paymasterDataMethod(
  pmGetPaymasterData,
  (core, request) => core.getPaymasterData(request),
  ({ signed, gasEstimated }) => {
    const limits = gasEstimated ? gasLimitsJson(signed.gas) : {};
    const jsonText = jsonObject({ ...paymasterFieldsJson(signed, signed.gas), ...limits, ...validityJson(signed) });
    return { jsonText, decisionId: signed.decisionId };
  },
);

export const getPaymasterStubDataMethod = paymasterDataMethod(
  pmGetPaymasterStubData,
  (core, request) => core.getPaymasterStubData(request),
  (stub) => {
    const { sponsorName: name, sponsorIcon: icon, decisionId, validUntil } = stub;
    const sponsor = name === undefined ? {} : { sponsor: JSON.stringify({ name, ...omitAbsent({ icon }) }) };
    const promise = validUntil === undefined ? {} : validityJson({ validUntil });
    return { jsonText: jsonObject({ ...sponsor, ...paymasterFieldsJson(stub, stub), ...promise }), decisionId };
  },
);
