import { divideUp } from './values/divide-up.ts';

/** All of the gas: what users pay in token mode unless the policy names a share. Percent. */
export const wholePercent = 100;

const percents = BigInt(wholePercent);

/** The exchange rate at which a user pays this part of the gas, rounded up: at most one base unit more for 10^18 wei. */
export function shareOfRate(rate: bigint, userPercent: number): bigint {
  return divideUp(rate * BigInt(userPercent), percents);
}

/** What the sponsor gives of a cost in wei, rounded up. The user's part is the rest, so both add up to the cost. */
export function sponsoredPart(cost: bigint, userPercent: number): bigint {
  return divideUp(cost * BigInt(wholePercent - userPercent), percents);
}
