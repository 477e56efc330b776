import { divideUp } from '../base/values/integers.ts';
import type { SponsorshipMode } from './sponsorship.ts';

/** All of the gas: the users' part in token mode unless the policy sets a share. Percent. */
export const wholePercent = 100;

const percents = BigInt(wholePercent);

/** The exchange rate at which a user pays this share of the gas, rounded up: at most one base unit more for 10^18 wei. */
export function shareOfRate(rate: bigint, userPercent: number): bigint {
  return divideUp(rate * BigInt(userPercent), percents);
}

/** The sponsor's part of a cost in wei, rounded up. The user's part is the rest, so both add up to the cost. */
export function sponsoredPart(cost: bigint, userPercent: number): bigint {
  return divideUp(cost * BigInt(wholePercent - userPercent), percents);
}

/** Who pays: `userPercent` is what the user pays of the gas, 0 of a sponsored operation. */
type PaidBy = { readonly userPercent: number };

/** Whether limits, budgets and tickets count the operation: it is sponsored, in whole or in part. */
export function isSponsored({ userPercent }: PaidBy): boolean {
  return userPercent < wholePercent;
}

/** The mode in which an operation is paid for like this. */
export function modeOf({ userPercent }: PaidBy): SponsorshipMode {
  return userPercent === 0 ? 'SPONSORED' : 'ERC20';
}
