import { wholePercent } from '../../domain/user-share.ts';

/**
 * What the user pays of the gas, in percent: all of it in token mode, less where the policy has users pay a share and gives the rest,
 * which its limits then count.
 */
export type UserPays = { readonly userPercent: number };

/** The fields of a hold that describe the share; nothing where the user pays all. */
export function userShare({ userPercent }: UserPays): { readonly userPercent?: number } {
  return userPercent === wholePercent ? {} : { userPercent };
}

/** For a trace: the part that the user pays, where it is not all. */
export function shareText(userPercent: number): string {
  return userPercent === wholePercent ? '' : `, of which the user pays ${userPercent} %`;
}
