import { type PaidAs, sponsoredPart } from '../../domain/user-share.ts';
import type { HoldRequest } from './hold-request.ts';

/** What limits, budgets and tickets count of a held amount, in wei. */
export function sponsoredWei({ amount, userPercent = 0 }: PaidAs & Pick<HoldRequest, 'amount'>): bigint {
  return sponsoredPart(amount, userPercent);
}

/**
 * The minimum that users pay of an operation under a hold, in percent, once a sponsored request joins it: undefined if one
 * of them pays nothing. Only one of the signatures can land, and limits count the most expensive.
 */
export function leastUserPercent(
  { userPercent }: PaidAs,
  live: { readonly counted: bigint | undefined; readonly userPercent: number | undefined } | undefined,
): number | undefined {
  if (live?.counted === undefined || userPercent === undefined) return userPercent;
  return live.userPercent === undefined ? undefined : Math.min(live.userPercent, userPercent);
}
