import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';

/**
 * What a request adds to the holds of its tank that last long: how many, and wei. Nothing where neither it nor the hold that it joins
 * does; the whole of a hold that lasts long from now on.
 */
export function lastingLong(
  { lastsLong = false }: Pick<HoldRequest, 'lastsLong'>,
  live: Pick<DraftHold, 'amount' | 'lastsLong'> | undefined,
  added: bigint,
): { readonly holds: 0 | 1; readonly amount: bigint } | undefined {
  if (live?.lastsLong === true) return { holds: 0, amount: added };
  return lastsLong ? { holds: 1, amount: added + (live?.amount ?? 0n) } : undefined;
}
