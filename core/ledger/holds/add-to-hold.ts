import { maxBigint } from '../../base/values/integers.ts';
import { sponsoredPart, wholePercent } from '../../domain/user-share.ts';
import { type CalledCounts, joinCalls } from '../../policies/called-limits.ts';
import { worthUsdMicros } from '../../policies/worth-usd.ts';
import type { LimitedQuantities } from '../accounts/legs.ts';
import { type Budgeted, budgetedWith } from '../budgets.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest, Payment } from './hold-request.ts';

/** What every request adds to its hold, in any mode. */
export function addToHold(
  hold: DraftHold,
  request: HoldRequest,
  { added, atRiskAdded }: { readonly added: bigint; readonly atRiskAdded: bigint },
): void {
  hold.amount += added;
  if (request.unpaidBudget !== undefined) hold.atRisk = (hold.atRisk ?? 0n) + atRiskAdded;
  hold.lastsLong ||= request.lastsLong;
  hold.validUntil = Math.max(hold.validUntil, request.validUntil);
  hold.deploys ||= request.deploys;
  noteSigner(hold, request);
  hold.changed = true;
}

/** What limits and budgets count of a hold with a sponsored request: as its accounts will have it. */
export type SponsoredHold = LimitedQuantities & { readonly limitWei: bigint; readonly calls: CalledCounts };

/** What limits and budgets would count of the hold that a sponsored request joins, or of a new one. */
export function withSponsored(
  request: HoldRequest,
  live: DraftHold | undefined,
): { readonly after: SponsoredHold; readonly budgeted: Budgeted } {
  const before = live?.limitWei;
  const more = maxBigint(sponsoredWei(request) - (before ?? 0n), 0n);
  const limitWei = (before ?? 0n) + more;
  const { usdMicrosPerCoin: price, seenUsdMicrosPerCoin: seenPrice } = request.prices;
  const budgeted = budgetedWith(seenPrice, live, more);
  const after = {
    isGivenBack: false,
    limitWei,
    usdMicros: usdWith(live, { limitWei, more, price }),
    budgetUsd: budgeted.budgetUsd,
    calls: joinCalls(live?.calls ?? noCalls, request.calls ?? noCalls),
  };
  return { after, budgeted };
}

/** The raise counts at the price of now. What had no price so far counts with it as a whole; without one nothing is known of the whole. */
function usdWith(
  live: DraftHold | undefined,
  { limitWei, more, price }: { readonly limitWei: bigint; readonly more: bigint; readonly price: bigint | undefined },
): bigint | undefined {
  const before = live?.usdMicros;
  if (price === undefined) return more > 0n ? undefined : before;
  return before === undefined ? worthUsdMicros(limitWei, price) : before + worthUsdMicros(more, price);
}

const noCalls: CalledCounts = new Map();

/** What a sponsored request adds to its hold: whom it is for, and what limits and budgets count of it. */
export function addSponsored(hold: DraftHold, request: HoldRequest, after: SponsoredHold): void {
  hold.ticketUser = request.ticket?.user;
  hold.ticket = request.ticket?.bounded?.id;
  hold.userPercent = leastUserPercent(request.payment, hold);
  hold.limitWei = after.limitWei;
  hold.usdMicros = after.usdMicros;
  hold.budgetUsd = after.budgetUsd;
  hold.calls = after.calls;
}

/** The key that signs may differ from the one that signed before. */
export function noteSigner(hold: DraftHold, { signer }: HoldRequest): void {
  if (hold.signers === undefined || hold.signers.has(signer)) return;
  hold.signers.add(signer);
  hold.changed = true;
}

/** What limits, budgets and tickets count of a held amount, in wei. */
export function sponsoredWei({ amount, payment }: Pick<HoldRequest, 'amount' | 'payment'>): bigint {
  return sponsoredPart(amount, payment.userPercent);
}

/**
 * The minimum that users pay of an operation under a hold, in percent, once a sponsored request joins it: undefined if one
 * of them pays nothing. Only one of the signatures can land, and limits count the most expensive.
 */
function leastUserPercent(
  { userPercent }: Payment,
  live: { readonly limitWei: bigint | undefined; readonly userPercent: number | undefined },
): number | undefined {
  const before = live.limitWei === undefined ? wholePercent : (live.userPercent ?? 0);
  const least = Math.min(before, userPercent);
  return least === 0 ? undefined : least;
}
