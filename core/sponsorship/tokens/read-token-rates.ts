import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { Lifetime } from '../permit/sponsor-mode.ts';
import { type Asked, noted, type Step, type UserPays } from '../run/steps.ts';
import type { Window } from '../sponsored-terms.ts';
import { type ChosenTokens, chooseTokens, takenTokens } from './choose-tokens.ts';
import { type GivenPermit, tokenWindow } from './token-terms.ts';

/** The tokens' current rates, preferred first, then by premium, and the lifetime of the quotes. */
export type TokenRatesNow = { readonly rates: readonly TokenRate[]; readonly window: Window };

type Needed = Asked & Identified & Lifetime & Viewed & Ticketed & GivenPermit & QuotedTokens & UserPays;

/**
 * Rates of the chosen tokens. A token without a price is left out, unless it is the preferred one or none is left: then
 * the whole answer is `PRICE_UNAVAILABLE`.
 */
export const readTokenRates: Step<Needed, TokenRatesNow> = noted(
  {
    rule: 'token-price',
    finding: ({ chosen, userPercent }) => ['token-prices', chosen.tokens.length, userPercent],
  },
  async (request: Needed) => {
    const rates = await readRates(request, request.chosen);
    if (!rates.ok) return rates;
    const window = tokenWindow(request);
    return window.ok ? accept({ rates: rates.value, window: window.value }) : window;
  },
);

async function readRates({ chain, contract }: Identified, chosen: ChosenTokens): Promise<Result<readonly TokenRate[]>> {
  const results = await Promise.all(
    chosen.tokens.map(async (token) => ({ token, result: await chain.rates.rate(token, contract.premiumBasisPoints) })),
  );
  const rates: TokenRate[] = [];
  for (const { token, result } of results) {
    if (result.ok) rates.push(result.value);
    else if (token === chosen.preferred) return result;
  }
  const failed = results.map(({ result }) => result).find((result) => !result.ok);
  if (rates.length === 0 && failed !== undefined) return failed;
  rates.sort((a, b) => rank(a, chosen) - rank(b, chosen));
  return accept(rates);
}

function rank(rate: TokenRate, chosen: ChosenTokens): number {
  return rate.token === chosen.preferred ? -1 : rate.premiumBasisPoints;
}

/** The client's choice of tokens. */
type TokenInfo = { readonly tokenInfo: NonNullable<SponsorshipContext['tokenInfo']> };

/** The tokens to quote. */
export type QuotedTokens = { readonly chosen: ChosenTokens };

/** A quote needs `tokenInfo`, even an empty one. */
export const readTokenInfo: Step<Asked, TokenInfo> = ({ context: { tokenInfo } }) =>
  tokenInfo === undefined
    ? refuse({ reason: 'INVALID_PARAMS', message: 'tokenInfo must be an object', field: 'tokenInfo' })
    : accept({ tokenInfo });

/** The tokens that the client names, else all that the paymaster accepts. */
export const chooseQuotedTokens: Step<Asked & Identified & TokenInfo, QuotedTokens> = (request) =>
  accept({ chosen: chooseTokens(request.tokenInfo, takenTokens(request)) });
