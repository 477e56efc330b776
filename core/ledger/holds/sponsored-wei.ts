import { sponsoredPart } from '../../domain/user-share.ts';
import type { HoldRequest } from './hold-request.ts';

type Paid = Pick<HoldRequest, 'mode' | 'userPercent'>;

/** Whether limits, budgets and tickets count something of it: where it is sponsored, the whole or a part. */
export function isSponsored({ mode, userPercent }: Paid): boolean {
  return mode === 'SPONSORED' || userPercent !== undefined;
}

/** What they count of its amount, in wei. */
export function sponsoredWei({ amount, userPercent = 0 }: Paid & Pick<HoldRequest, 'amount'>): bigint {
  return sponsoredPart(amount, userPercent);
}

/**
 * What users pay at least of an operation under a hold, in percent, once a sponsored request joins it: undefined where one pays
 * nothing. Only one of the signatures can land, and limits count the dearest.
 */
export function leastUserPercent(
  { userPercent }: Paid,
  live: { readonly counted: bigint | undefined; readonly userPercent: number | undefined } | undefined,
): number | undefined {
  if (live?.counted === undefined || userPercent === undefined) return userPercent;
  return live.userPercent === undefined ? undefined : Math.min(live.userPercent, userPercent);
}
