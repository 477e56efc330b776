import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { FeeQuote, SponsorshipContext, TokenQuotes } from '../../domain/sponsorship.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import { usdMicros } from '../../quotes/exchange-rate.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import { approvalGasAllowance, findGasLimits } from '../gas/find-gas-limits.ts';
import { chooseWindow, type Window } from '../grant/choose-window.ts';
import type { Identified } from '../request/identify.ts';
import { readLifetime } from '../request/read-context.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import { viewChain } from '../request/view-chain.ts';
import type { SponsorshipParts } from '../run/sponsorship-parts.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';
import { type ChosenTokens, chooseTokens } from './choose-tokens.ts';
import { quoteKey } from './keep-quote.ts';

/** Most tokens quoted in one answer. */
const maxTokens = 100;

/** Mode `ERC20` of `pm_getFeeQuoteOrData`: what the operation costs at most, in each token. Nothing is held or signed. */
export async function quoteTokens(
  run: SponsorshipRun,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
): Promise<Result<Omit<TokenQuotes, 'decisionId'>>> {
  const { chain, contract } = identified;
  const { draft } = run;
  draft.mode = 'ERC20';
  draft.calls ??= [];
  if (context.tokenInfo === undefined) {
    return refuse({ reason: 'INVALID_PARAMS', message: 'tokenInfo must be an object', field: 'tokenInfo' });
  }
  if (!contract.family.modes.includes('ERC20')) {
    return noteResult(draft, { rule: 'mode', checked: 'mode ERC20' }, takesNoTokens(contract.version));
  }
  const lifetime = readLifetime(context.expiryDuration, run.validity);
  if (!lifetime.ok) return noteResult(draft, { rule: 'lifetime', checked: 'expiryDuration' }, lifetime);
  const chosen = chooseTokens(context.tokenInfo, chain.rates);
  if (chosen.tokens.length > maxTokens) {
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `tokenInfo.tokenList must hold at most ${maxTokens} tokens`,
      field: 'tokenInfo.tokenList',
    });
  }
  const answer = (feeQuotes: readonly FeeQuote[]): Result<Omit<TokenQuotes, 'decisionId'>> =>
    accept({
      kind: 'quotes',
      paymasterAddress: contract.place.address,
      feeQuotes,
      unsupportedTokens: chosen.unsupported,
    });
  if (chosen.tokens.length === 0) return answer([]);

  const view = noteResult(
    draft,
    { rule: 'chain', checked: `the state of chain ${chain.config.chainId}` },
    viewChain(chain),
  );
  if (!view.ok) return view;
  const rates = noteResult(
    draft,
    { rule: 'token-price', checked: `the prices of ${chosen.tokens.length} tokens` },
    await readRates(identified, chosen),
  );
  if (!rates.ok) return rates;
  const [first] = rates.value;
  if (first === undefined) return answer([]);
  const window = chooseWindow(lifetime.value, view.value, run.clock);
  const calculate = context.calculateGasLimits !== false;
  const gas = noteResult(
    draft,
    { rule: 'gas-limits', checked: calculate ? 'an estimate of ours' : 'the limits that were sent' },
    await findGasLimits({
      identified,
      read,
      calculate,
      grant: tokenGrant(identified, first, window),
      callGasAllowance: approvalGasAllowance,
      // A higher maximum is no harm, and `pm_getPaymasterData` raises the limits that it signs.
      withoutUnseenGas: 'raise',
    }),
  );
  if (!gas.ok) return gas;
  const operation = { ...read.operation, gas: gas.value };
  return answer(rates.value.map((rate) => quote(run, identified, operation, { rate, window })));
}

export function takesNoTokens(version: string): Result<never> {
  return refuse({
    reason: 'TOKEN_NOT_SUPPORTED',
    message: `Paymaster version ${version} takes no tokens; it only sponsors.`,
  });
}

/** What a signature in token mode grants at this rate. */
export function tokenGrant(identified: Identified, rate: TokenRate, window: Window): TokenGrant {
  return {
    mode: 'ERC20',
    ...window,
    token: rate.token.address,
    exchangeRate: rate.rateWithPremium,
    treasury: identified.contract.treasury,
  };
}

/**
 * Rates of the chosen tokens, preferred first, then by premium. A token without a price is left out, unless it is the
 * preferred one or the only one: then the whole answer is `PRICE_UNAVAILABLE`.
 */
async function readRates(identified: Identified, chosen: ChosenTokens): Promise<Result<readonly TokenRate[]>> {
  const { chain, contract } = identified;
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

/** One token's quote, which is remembered: what is signed for the operation keeps to it (`keepQuote`). */
function quote(
  parts: SponsorshipParts,
  identified: Identified,
  operation: UserOperationWithGas,
  { rate, window }: { readonly rate: TokenRate; readonly window: Window },
): FeeQuote {
  const { token } = rate;
  const grant = tokenGrant(identified, rate, window);
  const maxGasFee = identified.contract.family.maximumTokenCharge(operation, grant);
  parts.quotes.remember(quoteKey(identified, operation, token.address), {
    maximum: maxGasFee,
    exchangeRate: grant.exchangeRate,
    validUntil: window.validUntil,
  });
  return {
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
}
