import { divideUp } from '../../../base/values/integers.ts';

/** A markup of Biconomy's contracts, in millionths: the cost itself and nothing more. */
export const noMarkup = 1_000_000;

/** The most that these contracts take: the cost twice. */
export const maxMarkup = 2_000_000;

/** A cost with its markup, rounded up (the contracts round down). */
export function withMarkup(cost: bigint, priceMarkup: number): bigint {
  return divideUp(cost * BigInt(priceMarkup), BigInt(noMarkup));
}
