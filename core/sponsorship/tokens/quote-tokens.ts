import { omitAbsent } from '@tollfree/contract/omit-absent';
import { minBigint } from '../../base/values/integers.ts';
import type { TokenConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { FeeQuote, TokenQuotes } from '../../domain/sponsorship.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { shareOfRate } from '../../domain/user-share.ts';
import type { PaymasterContractFamily, TokenTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { asCharged } from '../../gas/token-payment-trial.ts';
import type { FeeView } from '../../node/read-fees.ts';
import type { GivenQuote, QuoteKey } from '../../quotes/quote-store.ts';
import { type TokenRate, usdMicros } from '../../quotes/token-rates.ts';
import type { WithSignedTerms } from '../cost.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import { type Asked, notedIfRefused, type Step, type UserPays, userShare } from '../run/steps.ts';
import type { FeeToken } from './choose-tokens.ts';
import { quoteKey } from './keep-quote.ts';
import type { QuotedTokens, TokenRatesNow } from './read-token-rates.ts';
import { tokenTerms } from './token-terms.ts';

/** Fewest base units of a charge: contracts round down, which then loses at most a twentieth. */
export const minTokenCharge = 20n;

/** A charge in a token, and what it depends on. */
type Charged = {
  readonly family: Pick<PaymasterContractFamily, 'maximumTokenCharge'>;
  readonly operation: UserOperationWithGas;
  readonly signedTerms: TokenTerms;
  /** The chain's gas prices, if known. */
  readonly fees: FeeView | undefined;
};

/**
 * The expected charge in base units, by the limits and the current gas price. A `maxFeePerGas` far above that price
 * increases the maximum but not the charge's precision.
 */
export function expectedTokenCharge({ family, operation, signedTerms, fees }: Charged): bigint {
  const { maxFeePerGas, maxPriorityFeePerGas } = operation;
  const price = fees === undefined ? maxFeePerGas : minBigint(maxFeePerGas, fees.baseFee + maxPriorityFeePerGas);
  return family.maximumTokenCharge(asCharged({ ...operation, maxFeePerGas: price }), signedTerms);
}

/** `TOKEN_NOT_SUPPORTED` for a token whose base unit is too coarse for the operation's cost. Free gas costs nothing. */
export function judgeTokenGrain({ symbol, decimals }: TokenConfig, charged: Charged): Result<Record<never, never>> {
  const expected = expectedTokenCharge(charged);
  if (expected >= minTokenCharge || charged.operation.maxFeePerGas === 0n) return accept({});
  return refuse({
    reason: 'TOKEN_NOT_SUPPORTED',
    message:
      `${symbol} is too coarse for this operation. With ${decimals} decimals, its charge is ${expected} base units, but ` +
      `it must be at least ${minTokenCharge}. Use a token with more decimals or a lower value.`,
    field: 'tokenInfo.feeTokenAddress',
    details: { symbol, expected: expected.toString(), minimum: minTokenCharge.toString() },
  });
}

/** Checks that the token is divisible enough for the charge. */
export const checkTokenGrain: Step<Asked & Identified & Viewed & FeeToken & WithSignedTerms<TokenTerms>, object> =
  notedIfRefused({ rule: 'fee-token', finding: ['token-grain'] }, ({ contract, operation, signedTerms, view, token }) =>
    judgeTokenGrain(token, { family: contract.family, operation, signedTerms, fees: view.fees }),
  );

/** An answer with quotes, without its id. */
export type UndecidedQuotes = Omit<TokenQuotes, 'decisionId'>;

type Needed = Asked & Identified & Viewed & QuotedTokens & TokenRatesNow & WithGas & UserPays;

/**
 * The operation's maximum cost in each token. The quotes are stored before they are returned: what is signed for the
 * operation keeps to them (`keepQuote`). A token too coarse for the charge is left out like one without a price: if it is
 * the preferred one, or none is left, the whole answer is its refusal.
 */
export const quoteTokens: Step<Needed, { readonly answer: UndecidedQuotes }> = (request) => {
  const fine = findFineRates(request);
  if (!fine.ok) return fine;
  const quotes = fine.value.map((rate) => quote(request, request.operation, rate));
  const answer = accept({
    answer: quotesAnswer(
      request,
      quotes.map(({ feeQuote }) => feeQuote),
    ),
  });
  const remembered = request.parts.quotes.remember(quotes.map(({ key, given }) => [key, given]));
  return remembered === undefined ? answer : remembered.then(() => answer);
};

function findFineRates(request: Needed): Result<readonly TokenRate[]> {
  const { contract, operation, rates, window, view, chosen } = request;
  const fine: TokenRate[] = [];
  let refused: Result<never> | undefined;
  for (const rate of rates) {
    const signedTerms = tokenTerms(request, rate, window);
    const judged = judgeTokenGrain(rate.token, { family: contract.family, operation, signedTerms, fees: view.fees });
    if (judged.ok) fine.push(rate);
    else if (rate.token === chosen.preferred) return judged;
    else refused ??= judged;
  }
  return fine.length === 0 && refused !== undefined ? refused : accept(fine);
}

/** The answer that gives these quotes. */
export function quotesAnswer(
  { contract, chosen }: Identified & QuotedTokens,
  feeQuotes: readonly FeeQuote[],
): UndecidedQuotes {
  return {
    kind: 'quotes',
    paymasterAddress: contract.location.address,
    feeQuotes,
    unsupportedTokens: chosen.unsupported,
  };
}

/** One token's quote, and what binds us to it, to be stored. */
function quote(
  request: Needed,
  operation: UserOperationWithGas,
  rate: TokenRate,
): { readonly feeQuote: FeeQuote; readonly key: QuoteKey; readonly given: GivenQuote } {
  const { contract, window, userPercent } = request;
  const { token } = rate;
  const signedTerms = tokenTerms(request, rate, window);
  const maxGasFee = contract.family.maximumTokenCharge(operation, signedTerms);
  const feeQuote = {
    symbol: token.symbol,
    decimal: token.decimals,
    tokenAddress: token.address,
    maxGasFee,
    maxGasFeeUsdMicros: usdMicros(maxGasFee, rate.usd, token.decimals),
    exchangeRate: shareOfRate(rate.rate, userPercent),
    premiumBasisPoints: rate.premiumBasisPoints,
    validUntil: window.validUntil,
    logoUrl: token.logoUrl,
    ...omitAbsent({ userPaysPercent: userShare(request).userPercent }),
  };
  const given = {
    maximum: maxGasFee,
    exchangeRate: signedTerms.exchangeRate,
    validUntil: window.validUntil,
    userPercent,
  };
  return { feeQuote, key: quoteKey(request, operation, token.address), given };
}
