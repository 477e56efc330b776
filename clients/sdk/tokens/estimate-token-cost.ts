import { type Address, type Call, encodeFunctionData, type Hex, isAddressEqual } from 'viem';
import { TokenNotTakenError } from '../errors/errors.ts';
import { getSupportedTokens } from '../sponsor/get-supported-tokens.ts';
import { type GetTokenQuotesParameters, getTokenQuotes, type TokenRate } from '../sponsor/get-token-quotes.ts';
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

/**
 * About what an operation will cost at the token's price of this moment: to be shown beforehand, and binding no one.
 * What it costs at most is what `getFeeQuoteOrData` quotes.
 *
 * @throws TokenNotTakenError when the paymaster does not take the token.
 */
export async function estimateTokenCost(
  client: SponsorConnection,
  { token, gas, feePerGas, ...terms }: EstimateTokenCostParameters,
): Promise<TokenCost> {
  const [[rate], tokens] = await Promise.all([
    getTokenQuotes(client, { tokens: [token], ...terms }),
    getSupportedTokens(client),
  ]);
  const taken = tokens.find((candidate) => isAddressEqual(candidate.token, token));
  if (rate === undefined || taken === undefined) throw new TokenNotTakenError(token);
  return { amount: tokenCost(rate, { gas, feePerGas }), symbol: taken.symbol, decimals: taken.decimals };
}

const weiPerCoin = 10n ** 18n;

/** What an operation costs in base units of a token, rounded up: `gas` of its own and the paymaster's part of it. */
export function tokenCost(
  { postOpGas, exchangeRate }: Pick<TokenRate, 'postOpGas' | 'exchangeRate'>,
  { gas, feePerGas }: { readonly gas: bigint; readonly feePerGas: bigint },
): bigint {
  return ((gas + postOpGas) * feePerGas * exchangeRate + weiPerCoin - 1n) / weiPerCoin;
}

/** A call of a smart account, encoded. `value` in wei. */
export type EncodedCall = { readonly to: Address; readonly data: Hex; readonly value: bigint };

/** Calls as viem takes them, those with an ABI encoded. */
export function encodeCalls(calls: readonly Call[]): readonly EncodedCall[] {
  return calls.map((call) => ({
    to: call.to,
    data: call.abi === undefined ? (call.data ?? '0x') : encodeFunctionData(call),
    value: call.value ?? 0n,
  }));
}
