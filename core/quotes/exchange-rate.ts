import { divideUp } from '../base/values/integers.ts';
import type { UsdPrice } from './price-source.ts';

/**
 * Token base units for 10^18 wei, rounded up by at most one base unit so that a rate never costs the sponsor.
 *
 * @param native USD for one whole native coin (10^18 wei).
 * @param token USD for one whole token (10^`tokenDecimals` base units).
 */
export function exchangeRate(native: UsdPrice, token: UsdPrice, tokenDecimals: number): bigint {
  const numerator = native.value * 10n ** BigInt(token.decimals + tokenDecimals);
  const denominator = token.value * 10n ** BigInt(native.decimals);
  return divideUp(numerator, denominator);
}

/** The rate with a premium in basis points on top, rounded up. */
export function rateWithPremium(rate: bigint, premiumBasisPoints: number): bigint {
  return divideUp(rate * BigInt(10_000 + premiumBasisPoints), 10_000n);
}

/** Worth of an amount of token base units in millionths of a dollar, rounded up. */
export function usdMicros(amount: bigint, token: UsdPrice, tokenDecimals: number): bigint {
  return divideUp(amount * token.value * 1_000_000n, 10n ** BigInt(tokenDecimals + token.decimals));
}
