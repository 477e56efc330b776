import { expect, test } from 'vitest';
import { freshPrice } from '../../core/quotes/last-coin-price.ts';

/** What is known at 10,000 (Unix seconds) of a price that was seen so many seconds before. */
const knownOf = (age: number) =>
  freshPrice({ last: () => ({ usdMicrosPerCoin: 7n, at: 10_000 - age }) }, { now: () => 10_000_000 });

test('budgets take a price of the last 15 minutes, by a clock that was not set back behind it', () => {
  expect([0, 900, -900].map(knownOf)).toEqual([7n, 7n, 7n]);
  expect([901, 86_400, -901].map(knownOf)).toEqual([undefined, undefined, undefined]);
  expect(freshPrice({ last: () => undefined }, { now: () => 0 })).toBeUndefined();
});
