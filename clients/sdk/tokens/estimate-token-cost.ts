import { isAddressEqual } from 'viem';
import { TokenNotTakenError } from '../errors/token-not-taken-error.ts';
import { getSupportedTokens } from '../sponsor/get-supported-tokens.ts';
import { type GetTokenQuotesParameters, getTokenQuotes } from '../sponsor/get-token-quotes.ts';
import type { SponsorConnection } from '../sponsor/sponsor-connection.ts';

export type EstimateTokenCostParameters = Omit<GetTokenQuotesParameters, 'tokens'> & {
  readonly token: GetTokenQuotesParameters['tokens'][number];
  /** Gas that such an operation uses, the paymaster's own part left out. */
  readonly gas: bigint;
  /** What a gas costs, in wei. */
  readonly feePerGas: bigint;
};

/** About what an operation costs in a token, in its base units. */
export type TokenCost = { readonly amount: bigint; readonly symbol: string; readonly decimals: number };

const weiPerCoin = 10n ** 18n;

/**
 * About what an operation will cost at the token's price of this moment: to be shown beforehand, and binding nobody. What it costs at
 * most is what `getFeeQuoteOrData` quotes.
 *
 * @throws TokenNotTakenError when the paymaster does not take the token.
 */
export async function estimateTokenCost(
  client: SponsorConnection,
  { token, gas, feePerGas, ...place }: EstimateTokenCostParameters,
): Promise<TokenCost> {
  const [[rate], tokens] = await Promise.all([
    getTokenQuotes(client, { tokens: [token], ...place }),
    getSupportedTokens(client),
  ]);
  const taken = tokens.find((candidate) => isAddressEqual(candidate.token, token));
  if (rate === undefined || taken === undefined) throw new TokenNotTakenError(token);
  const wei = (gas + rate.postOpGas) * feePerGas;
  const amount = (wei * rate.exchangeRate + weiPerCoin - 1n) / weiPerCoin;
  return { amount, symbol: taken.symbol, decimals: taken.decimals };
}
