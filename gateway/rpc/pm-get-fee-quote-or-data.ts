import { type PmGetFeeQuoteOrDataParams, pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import { signedDataJson } from './json/signed-data-json.ts';
import { tokenQuotesJson } from './json/token-quotes-json.ts';
import type { RpcMethod } from './rpc-method.ts';
import { sponsorshipRequest } from './sponsorship-request.ts';

export const getFeeQuoteOrDataMethod: RpcMethod<PmGetFeeQuoteOrDataParams> = {
  method: pmGetFeeQuoteOrData.method,
  params: pmGetFeeQuoteOrData.params,
  paramCount: 2,
  async handle(core, params, address) {
    const result = await core.getFeeQuoteOrData(sponsorshipRequest(params, address));
    if (!result.ok) {
      return result;
    }
    const { jsonText } = result.value.kind === 'signed' ? signedDataJson(result.value) : tokenQuotesJson(result.value);
    return { ok: true, value: { jsonText, decisionId: result.value.decisionId } };
  },
};
