import { type Clock, unixSeconds } from '../base/time/clock.ts';
import type { LastCoinPrice } from './last-coin-price.ts';

/** How old a price may be that budgets of accounts count by, in seconds: three reads of it may fail. */
const maxAge = 900;

/**
 * What 10^18 wei are worth in millionths of a USD, as last read in the background: nothing waits for it. Undefined when that is too long
 * ago, or the clock says that it is still to come.
 */
export function freshPrice(price: Pick<LastCoinPrice, 'last'>, clock: Clock): bigint | undefined {
  const seen = price.last();
  if (seen === undefined || Math.abs(unixSeconds(clock) - seen.at) > maxAge) return undefined;
  return seen.usdMicrosPerCoin;
}
