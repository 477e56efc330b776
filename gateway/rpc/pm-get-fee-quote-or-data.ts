import { type PmGetFeeQuoteOrDataParams, pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import type { FeeQuote, TokenQuotes } from '../../core/domain/sponsorship.ts';
import { type JsonText, jsonArray, jsonObject, signedDataJson } from './json.ts';
import type { RpcMethod } from './rpc-response.ts';
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
    if (!result.ok) return result;
    const { jsonText } = result.value.kind === 'signed' ? signedDataJson(result.value) : tokenQuotesJson(result.value);
    return { ok: true, value: { jsonText, decisionId: result.value.decisionId } };
  },
};

/** Base units of the shortest decimal form of a double, rounded down. `value` is not negative. */
function baseUnitsOfShortestForm(value: number, decimals: number): bigint {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = decimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? digits * 10n ** BigInt(scale) : digits / 10n ** BigInt(-scale);
}

/**
 * The fewest base units that a client can compute from this JSON number: with `Math.ceil(x * 10 ** decimals)` in doubles,
 * for both possible roundings of the power, or by parsing the number's text (`parseUnits`).
 */
function minBaseUnits(text: string, decimals: number): bigint {
  const value = Number(text);
  const byPower = BigInt(Math.ceil(value * 10 ** decimals));
  const byLiteral = BigInt(Math.ceil(value * Number(`1e${decimals}`)));
  const byText = baseUnitsOfShortestForm(value, decimals);
  const byDoubles = byPower < byLiteral ? byPower : byLiteral;
  return byText < byDoubles ? byText : byDoubles;
}

/**
 * An amount of base units as a JSON number in whole tokens: at most `decimals` fraction digits, no exponent, and rounded up
 * enough that no client which converts it with doubles gets fewer than `baseUnits`. The excess is a few parts in 10^16.
 */
export function wholeTokens(baseUnits: bigint, decimals: number): string {
  let text = decimalText(baseUnits, decimals);
  for (let excess = 1n; minBaseUnits(text, decimals) < baseUnits; excess *= 2n) {
    text = decimalText(baseUnits + excess, decimals);
  }
  return text;
}

/** `value / 10^decimals` as plain decimal text: exact, no exponent, no trailing zeros. `value` is not negative. */
export function decimalText(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
