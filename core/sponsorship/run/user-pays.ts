import { wholePercent } from '../../domain/user-share.ts';

/**
 * The user's share of the gas, in percent: 100 in token mode, less if the policy has users pay a share and gives the rest,
 * which its limits then count.
 */
export type UserPays = { readonly userPercent: number };

/** The fields of a hold for the share; empty if the user pays everything. */
export function userShare({ userPercent }: UserPays): { readonly userPercent?: number } {
  return userPercent === wholePercent ? {} : { userPercent };
}
