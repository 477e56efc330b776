import {
  type PimlicoGetSupportedTokensParams,
  type PimlicoGetTokenQuotesParams,
  pimlicoGetSupportedTokens,
  pimlicoGetTokenQuotes,
} from '@tollfree/contract/rpc/pimlico-tokens';
import {
  type PmSupportedErc20TokensParams,
  pmSupportedErc20Tokens,
} from '@tollfree/contract/rpc/pm-supported-erc20-tokens';
import type { PaymasterDescription, TokenRateQuote } from '../../core/domain/paymaster-data.ts';
import { hexJson, jsonArray, jsonObject, paymasterFieldsJson } from './json.ts';
import { checkChainId } from './paymaster-data-request.ts';
import type { RpcMethod } from './rpc-response.ts';

export const getTokenQuotesMethod: RpcMethod<PimlicoGetTokenQuotesParams> = {
  method: pimlicoGetTokenQuotes.method,
  params: pimlicoGetTokenQuotes.params,
  paramCount: 3,
  async handle(core, [{ tokens }, entryPoint, sentChainId], { apiKey, chainId, arrival }) {
    const foreign = checkChainId(sentChainId, chainId);
    if (foreign !== undefined) return { ok: false, refusal: foreign };
    const result = await core.quoteTokenRates({ apiKey, chainId, arrival, entryPoint, tokens });
    if (!result.ok) return result;
    const quotes = jsonArray(result.value.map(quoteJson));
    return { ok: true, value: { jsonText: jsonObject({ quotes }) } };
  },
};

function quoteJson(quote: TokenRateQuote): string {
  const { balanceSlot, allowanceSlot } = quote;
  return jsonObject({
    paymaster: `"${quote.paymaster}"`,
    token: `"${quote.token}"`,
    postOpGas: hexJson(quote.postOpGas),
    exchangeRate: hexJson(quote.exchangeRate),
    exchangeRateNativeToUsd: hexJson(quote.nativeUsdMicros),
    ...(balanceSlot === undefined ? {} : { balanceSlot: hexJson(balanceSlot) }),
    ...(allowanceSlot === undefined ? {} : { allowanceSlot: hexJson(allowanceSlot) }),
  });
}

export const getSupportedTokensMethod: RpcMethod<PimlicoGetSupportedTokensParams> = {
  method: pimlicoGetSupportedTokens.method,
  params: pimlicoGetSupportedTokens.params,
  paramCount: 0,
  async handle(core, _params, { apiKey, chainId, arrival }) {
    const result = await core.listSupportedTokens({ apiKey, chainId, arrival });
    if (!result.ok) return result;
    const tokens = result.value.map(({ symbol, decimals, address }) => ({
      name: symbol,
      symbol,
      decimals,
      token: address,
    }));
    return { ok: true, value: { jsonText: JSON.stringify(tokens) } };
  },
};

export const supportedErc20TokensMethod: RpcMethod<PmSupportedErc20TokensParams> = {
  method: pmSupportedErc20Tokens.method,
  params: pmSupportedErc20Tokens.params,
  paramCount: 1,
  async handle(core, [entryPoint], { apiKey, chainId, arrival }) {
    const result = await core.describePaymaster({ apiKey, chainId, arrival, entryPoint });
    if (!result.ok) return result;
    const tokens = jsonArray(result.value.tokens.map(tokenJson));
    return { ok: true, value: { jsonText: jsonObject({ tokens, paymasterMetadata: metadataJson(result.value) }) } };
  },
};

function tokenJson({ address, symbol, decimals, exchangeRate }: PaymasterDescription['tokens'][number]): string {
  return jsonObject({
    name: JSON.stringify(symbol),
    symbol: JSON.stringify(symbol),
    address: `"${address}"`,
    decimals: String(decimals),
    exchangeRate: hexJson(exchangeRate),
  });
}

function metadataJson(description: PaymasterDescription): string {
  const { name, stub } = description;
  return jsonObject({
    name: JSON.stringify(name),
    description: '""',
    icons: '[]',
    address: `"${stub.paymaster}"`,
    dummyPaymasterAndData:
      stub.entryPointVersion === '0.6' ? `"${stub.paymasterAndData}"` : jsonObject(paymasterFieldsJson(stub, stub)),
  });
}
