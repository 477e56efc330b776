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

/** Whether limits, budgets and tickets count the operation: it is sponsored, in whole or in part. */
export function isSponsored({ mode, userPercent }: PaidAs): boolean {
  return mode === 'SPONSORED' || userPercent !== undefined;
}

/** The mode of an operation; in token mode with the user's share in percent, if it is not all. */
export type PaidAs = { readonly mode: SponsorshipMode; readonly userPercent?: number };
