import { type PmGetFeeQuoteOrDataParams, pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import type { FeeQuote, TokenQuotes } from '../../core/domain/sponsorship.ts';
import { decimalText } from './json/decimal-text.ts';
import { type JsonText, jsonArray, jsonObject } from './json/json-text.ts';
import { signedDataJson } from './json/signed-data-json.ts';
import { wholeTokens } from './json/whole-tokens.ts';
import type { RpcMethod } from './rpc-method.ts';
import { sponsorshipRequest } from './sponsorship-request.ts';

/** Fraction digits of an amount in millionths of a dollar. */
const usdDecimals = 6;

/** Fraction digits of a percentage in basis points. */
const percentDecimals = 2;

function quoteJson(quote: FeeQuote): string {
  return jsonObject({
    symbol: JSON.stringify(quote.symbol),
    decimal: String(quote.decimal),
    tokenAddress: `"${quote.tokenAddress}"`,
    maxGasFee: wholeTokens(quote.maxGasFee, quote.decimal),
    maxGasFeeUSD: decimalText(quote.maxGasFeeUsdMicros, usdDecimals),
    exchangeRate: quote.exchangeRate.toString(),
    premiumPercentage: `"${decimalText(BigInt(quote.premiumBasisPoints), percentDecimals)}"`,
    validUntil: String(quote.validUntil),
    logoUrl: JSON.stringify(quote.logoUrl),
    ...(quote.userPaysPercent === undefined ? {} : { userPaysPercent: String(quote.userPaysPercent) }),
  });
}

/** Token quotes in the form of interface 2.6, in their original order. */
function tokenQuotesJson(quotes: TokenQuotes): JsonText {
  return {
    jsonText: jsonObject({
      mode: '"ERC20"',
      MODE: '"ERC20"',
      paymasterAddress: `"${quotes.paymasterAddress}"`,
      feeQuotes: jsonArray(quotes.feeQuotes.map(quoteJson)),
      unsupportedTokens: JSON.stringify(quotes.unsupportedTokens),
      decisionId: JSON.stringify(quotes.decisionId),
    }),
  };
}

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
