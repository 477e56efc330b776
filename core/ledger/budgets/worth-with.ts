import { isSponsored, type PaidAs } from '../../domain/user-share.ts';
import { worthUsdMicros } from '../../policies/worth-usd.ts';

/** What a hold is worth with a request, in millionths of a USD, and how much of that is new. */
export type HoldWorth = {
  /** Undefined while it is not known. */
  readonly worth: bigint | undefined;
  readonly added: bigint;
  /** Whether the new part was calculated with a price from the request's own time. */
  readonly isCounted: boolean;
};

/** A request that joins a hold, and the price at that time: see `HoldRequest`. */
type Joining = PaidAs & { readonly seenUsdMicrosPerCoin?: bigint };

/** What limits and budgets count of the hold that the request joins. */
type Joined = { readonly counted: bigint | undefined; readonly worth: bigint | undefined };

/**
 * More than any real operation is worth, in millionths of a USD: a price or an amount that is wrong. Sums stay exact
 * below it.
 */
const maxWorth = 10n ** 12n;

/**
 * What the hold of a sponsored request is worth when `more` wei join it: at the price of the request, or without one
 * at that of what it joins. One without a worth yet is valued as a whole.
 */
export function worthWith(request: Joining, live: Joined | undefined, more: bigint): HoldWorth {
  const before = live?.worth;
  if (!isSponsored(request) || (more === 0n && before !== undefined)) {
    return { worth: before, added: 0n, isCounted: true };
  }
  const counted = live?.counted ?? 0n;
  const price = request.seenUsdMicrosPerCoin;
  if (price === undefined) {
    if (before === undefined || counted === 0n) return { worth: undefined, added: 0n, isCounted: false };
    const added = (before * more + counted - 1n) / counted;
    return { worth: before + added, added, isCounted: false };
  }
  const added = worthUsdMicros(before === undefined ? counted + more : more, price);
  const worth = (before ?? 0n) + added;
  return worth > maxWorth ? { worth: before, added: 0n, isCounted: false } : { worth, added, isCounted: true };
}
