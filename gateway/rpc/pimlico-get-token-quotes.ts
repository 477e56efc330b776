import {
  type PimlicoGetSupportedTokensParams,
  type PimlicoGetTokenQuotesParams,
  pimlicoGetSupportedTokens,
  pimlicoGetTokenQuotes,
} from '@tollfree/contract/rpc/pimlico-tokens';
import type { TokenRateQuote } from '../../core/domain/paymaster-data.ts';
import { hexJson, jsonArray, jsonObject } from './json.ts';
import { checkChainId } from './paymaster-data-request.ts';
import type { RpcMethod } from './rpc-method.ts';

export const getTokenQuotesMethod: RpcMethod<PimlicoGetTokenQuotesParams> = {
  method: pimlicoGetTokenQuotes.method,
  params: pimlicoGetTokenQuotes.params,
  paramCount: 3,
  async handle(core, [{ tokens }, entryPoint, sentChainId], { apiKey, chainId, arrival }) {
    const foreign = checkChainId(sentChainId, chainId);
    if (foreign !== undefined) {
      return { ok: false, refusal: foreign };
    }
    const result = await core.quoteTokenRates({ apiKey, chainId, arrival, entryPoint, tokens });
    if (!result.ok) {
      return result;
    }
    const quotes = jsonArray(result.value.map(quoteJson));
    return { ok: true, value: { jsonText: jsonObject({ quotes }) } };
  },
};

function quoteJson(quote: TokenRateQuote): string {
  return jsonObject({
    paymaster: `"${quote.paymaster}"`,
    token: `"${quote.token}"`,
    postOpGas: hexJson(quote.postOpGas),
    exchangeRate: hexJson(quote.exchangeRate),
    exchangeRateNativeToUsd: hexJson(quote.nativeUsdMicros),
  });
}

export const getSupportedTokensMethod: RpcMethod<PimlicoGetSupportedTokensParams> = {
  method: pimlicoGetSupportedTokens.method,
  params: pimlicoGetSupportedTokens.params,
  paramCount: 0,
  async handle(core, _params, { apiKey, chainId, arrival }) {
    const result = await core.listSupportedTokens({ apiKey, chainId, arrival });
    if (!result.ok) {
      return result;
    }
    const tokens = result.value.map(({ symbol, decimals, address }) => ({
      name: symbol,
      symbol,
      decimals,
      token: address,
    }));
    return { ok: true, value: { jsonText: JSON.stringify(tokens) } };
  },
};
