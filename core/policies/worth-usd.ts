import { divideUp } from '../base/values/integers.ts';
import type { Policy } from '../domain/policy.ts';

const weiPerCoin = 10n ** 18n;

/** Worth of wei in millionths of a USD, rounded up. */
export function worthUsdMicros(wei: bigint, usdMicrosPerCoin: bigint): bigint {
  return divideUp(wei * usdMicrosPerCoin, weiPerCoin);
}

/** The current worth of 10^18 wei of a chain, in millionths of a USD; undefined when there is no price. */
export type CoinPrice = (chainId: number) => Promise<bigint | undefined>;

export function countsUsd({ maxCostUsdMicros, limits }: Policy): boolean {
  return maxCostUsdMicros !== undefined || limits.some(({ unit }) => unit === 'usdMicros');
}
