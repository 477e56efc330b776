import type { PriceSource } from './price-source.ts';
import { readDecimal } from './read-decimal.ts';

/**
 * A price the operator has set. `usd` is decimal text above zero.
 *
 * @throws RangeError when it is not; configuration is checked before this runs.
 */
export function createFixedPrice(usd: string): PriceSource {
  const price = readDecimal(usd);
  if (price === undefined || price.value <= 0n) throw new RangeError('A fixed price is decimal text above zero.');
  return { kind: 'fixed', read: async () => ({ price }) };
}
