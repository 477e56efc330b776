import type { TokenRate } from '../sponsor/get-token-quotes.ts';

const weiPerCoin = 10n ** 18n;

/** What an operation costs in base units of a token, rounded up: `gas` of its own and the paymaster's part of it. */
export function tokenCost(
  { postOpGas, exchangeRate }: Pick<TokenRate, 'postOpGas' | 'exchangeRate'>,
  { gas, feePerGas }: { readonly gas: bigint; readonly feePerGas: bigint },
): bigint {
  return ((gas + postOpGas) * feePerGas * exchangeRate + weiPerCoin - 1n) / weiPerCoin;
}
