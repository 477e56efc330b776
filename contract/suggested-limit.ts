import type { PolicyItem } from './policy.ts';

/** Least suggestion for what all operations of a day may cost together, in USD. */
const leastDailyUsd = 50;

/**
 * What all operations of a UTC day may cost together, in USD as decimal text: the next round number above one and a half times
 * the most expensive day so far (`highestDayUsd`), at least 50.
 */
export function suggestDailyUsd(highestDayUsd = 0): string {
  return roundAbove(highestDayUsd, leastDailyUsd).toFixed(2);
}

/** A limit on what all senders together can spend in a UTC day, in USD. */
export function dailyLimit(usd: string): PolicyItem['limits'][number] {
  return { per: 'TOTAL', window: 'DAY', unit: 'USD', max: usd };
}

/**
 * The cap on one operation, in wei, for operations that can cost as much as `cost` (wei) now: twice that, so that it outlives a
 * rise of the gas price, rounded up to two digits.
 */
export function suggestCap(cost: bigint): bigint {
  const wanted = 2n * cost;
  const unit = 10n ** BigInt(Math.max(wanted.toString().length - 2, 0));
  return ((wanted + unit - 1n) / unit) * unit;
}

/** The next round number (1, 2 or 5 times a power of ten) above one and a half times the highest one seen, at least `least`. */
export function roundAbove(highest: number, least: number): number {
  const wanted = highest * 1.5;
  if (wanted <= least) return least;
  const step = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((times) => times * step).find((amount) => amount >= wanted) ?? wanted;
}
