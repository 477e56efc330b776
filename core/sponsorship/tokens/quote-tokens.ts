import { accept } from '../../domain/result/result.ts';
import type { FeeQuote, TokenQuotes } from '../../domain/sponsorship.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { usdMicros } from '../../quotes/exchange-rate.ts';
import type { GivenQuote, QuoteKey } from '../../quotes/quote-book.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Identified } from '../request/identify.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import type { QuotedTokens } from './choose-quoted-tokens.ts';
import { quoteKey } from './keep-quote.ts';
import type { TokenRatesNow } from './read-token-rates.ts';
import { tokenGrant } from './token-grant.ts';

/** An answer with quotes, without its id. */
export type UndecidedQuotes = Omit<TokenQuotes, 'decisionId'>;

type Needed = Asked & Identified & QuotedTokens & TokenRatesNow & WithGas;

/**
 * What the operation costs at most, in each token. The quotes are remembered before they are given: what is signed for the
 * operation keeps to them (`keepQuote`).
 */
export const quoteTokens: Step<Needed, { readonly answer: UndecidedQuotes }> = (request) => {
  const quotes = request.rates.map((rate) => quote(request, request.operation, rate));
  const answer = accept({
    answer: quotesAnswer(
      request,
      quotes.map(({ feeQuote }) => feeQuote),
    ),
  });
  const remembered = request.parts.quotes.remember(quotes.map(({ key, given }) => [key, given]));
  return remembered === undefined ? answer : remembered.then(() => answer);
};

/** The answer that gives these quotes. */
export function quotesAnswer(
  { contract, chosen }: Identified & QuotedTokens,
  feeQuotes: readonly FeeQuote[],
): UndecidedQuotes {
  return {
    kind: 'quotes',
    paymasterAddress: contract.place.address,
    feeQuotes,
    unsupportedTokens: chosen.unsupported,
  };
}

/** One token's quote, and what it promises for what. */
function quote(
  request: Needed,
  operation: UserOperationWithGas,
  rate: TokenRate,
): { readonly feeQuote: FeeQuote; readonly key: QuoteKey; readonly given: GivenQuote } {
  const { contract, window } = request;
  const { token } = rate;
  const grant = tokenGrant(request, rate, window);
  const maxGasFee = contract.family.maximumTokenCharge(operation, grant);
  const feeQuote = {
    symbol: token.symbol,
    decimal: token.decimals,
    tokenAddress: token.address,
    maxGasFee,
    maxGasFeeUsdMicros: usdMicros(maxGasFee, rate.usd, token.decimals),
    exchangeRate: rate.rate,
    premiumBasisPoints: rate.premiumBasisPoints,
    validUntil: window.validUntil,
    logoUrl: token.logoUrl,
  };
  const given = { maximum: maxGasFee, exchangeRate: grant.exchangeRate, validUntil: window.validUntil };
  return { feeQuote, key: quoteKey(request, operation, token.address), given };
}
