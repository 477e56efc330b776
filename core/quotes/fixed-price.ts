import { accept } from '../domain/result.ts';
import type { PriceSource, UsdPrice } from './price-source.ts';

const decimalPattern = /^(\d{1,20})(?:\.(\d{1,18}))?$/;

/**
 * A price the operator has set. `usd` is decimal text above zero with at most 18 fraction digits.
 *
 * @throws RangeError when it is not; configuration is checked before this runs.
 */
export function createFixedPrice(usd: string): PriceSource {
  const price = parseUsd(usd);
  return { name: 'fixed', read: async () => accept(price) };
}

function parseUsd(usd: string): UsdPrice {
  const match = decimalPattern.exec(usd);
  const whole = match?.[1];
  if (whole === undefined) throw new RangeError('A fixed price is decimal text with at most 18 fraction digits.');
  const fraction = match?.[2] ?? '';
  const value = BigInt(whole + fraction);
  if (value === 0n) throw new RangeError('A fixed price is above zero.');
  return { value, decimals: fraction.length };
}
