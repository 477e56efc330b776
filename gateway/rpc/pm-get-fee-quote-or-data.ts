import { type PmGetFeeQuoteOrDataParams, pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import type { RpcMethod } from './rpc-method.ts';
import { signedDataJson } from './signed-data-json.ts';
import { sponsorshipRequest } from './sponsorship-request.ts';
import { tokenQuotesJson } from './token-quotes-json.ts';

export const getFeeQuoteOrDataMethod: RpcMethod<PmGetFeeQuoteOrDataParams> = {
  method: pmGetFeeQuoteOrData.method,
  params: pmGetFeeQuoteOrData.params,
  paramCount: 2,
  async handle(core, params, address) {
    const result = await core.getFeeQuoteOrData(sponsorshipRequest(params, address));
    if (!result.ok) {
      return result;
    }
    const value = result.value.kind === 'signed' ? signedDataJson(result.value) : tokenQuotesJson(result.value);
    return { ok: true, value: { ...value, decisionId: result.value.decisionId } };
  },
};
