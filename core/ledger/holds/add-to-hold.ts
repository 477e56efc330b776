import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isSponsored, type PaidAs, sponsoredPart } from '../../domain/user-share.ts';
import { joinCalls } from '../../policies/called-limits.ts';
import type { HoldWorth } from '../budgets.ts';
import type { LimitUsage } from '../counts/limit-usage.ts';
import type { TakenOff, UsageSubject } from '../counts/usage-key.ts';
import type { DraftHold } from './draft-hold.ts';
import { type HoldRequest, policyOf } from './hold-request.ts';

/** What every request adds to its hold, in any mode. */
export function addToHold(
  hold: DraftHold,
  request: HoldRequest,
  { added, atRiskAdded }: { readonly added: bigint; readonly atRiskAdded: bigint },
): void {
  hold.amount += added;
  hold.added += added;
  if (request.unpaidBudget !== undefined) hold.atRisk = (hold.atRisk ?? 0n) + atRiskAdded;
  hold.lastsLong ||= request.lastsLong === true;
  hold.validUntil = Math.max(hold.validUntil, request.validUntil);
  hold.deploys ||= request.deploys === true;
  noteSigner(hold, request);
  hold.changed = true;
}

/** What a sponsored request adds to its hold: who it belongs to, and what limits and budgets count of it. */
export function addSponsored(
  hold: DraftHold,
  request: HoldRequest,
  { change, worth }: { readonly change: LimitUsage; readonly worth: HoldWorth },
): void {
  giveTo(hold, request);
  hold.userPercent = leastUserPercent(request, hold);
  hold.counted = (hold.counted ?? 0n) + change.wei;
  if (request.usdMicrosPerCoin !== undefined) hold.usdMicros = (hold.usdMicros ?? 0n) + change.usdMicros;
  // The worth of a part says nothing about the whole, which is valued when a limit needs it.
  else if (change.wei > 0n) hold.usdMicros = undefined;
  hold.worth = worth.worth;
  countCalls(hold, request);
}

/** The key that signs may differ from the one that signed before. */
export function noteSigner(hold: DraftHold, { signer }: HoldRequest): void {
  if (hold.signers === undefined || hold.signers.has(signer)) return;
  hold.signers.add(signer);
  hold.changed = true;
}

function countCalls(hold: DraftHold, { calls }: HoldRequest): void {
  if (calls === undefined || ![...calls].some(([called, count]) => count > (hold.calls.get(called) ?? 0))) return;
  hold.calls = joinCalls(hold.calls, calls);
  hold.hasMoreCalls = true;
}

/** The owner of a hold in the counts of limits per user and per ticket. */
type HoldOwner = Pick<UsageSubject, 'subject' | 'ticket'>;

/** A sponsored request with another ticket than that of the hold it joins, and what the hold counted for the earlier one. */
type TakenOver = { readonly former: UsageSubject; readonly counted: TakenOff };

/** The same of a row, or of a draft. */
export function ownerOf({ subject, ticket }: NullableOwner): HoldOwner {
  return omitAbsent({ subject: subject ?? undefined, ticket: ticket ?? undefined });
}

type NullableOwner = { readonly [Name in keyof HoldOwner]-?: string | null | undefined };

/**
 * Whether a request takes over the hold it joins: then the whole hold counts for the request's ticket and no longer for the
 * earlier one. A request can be made without a key of the account, so each operation counts for one ticket, the one it was
 * last requested with.
 */
export function takeOver(request: HoldRequest, live: DraftHold | undefined): TakenOver | undefined {
  if (live?.counted === undefined || !isSponsored(request)) return undefined;
  if (live.subject === request.subject && live.ticket === request.ticket?.id) return undefined;
  return {
    former: {
      ...policyOf(request),
      sender: request.sender,
      keyNumber: live.keyNumber,
      createdAt: live.createdAt,
      ...ownerOf(live),
    },
    counted: { operations: 1, wei: live.counted, usdMicros: live.usdMicros ?? 0n, calls: live.calls },
  };
}

/** From now on the hold counts for the ticket of a request. */
function giveTo(hold: DraftHold, { subject, ticket }: HoldRequest): void {
  hold.subject = subject;
  hold.ticket = ticket?.id;
}

/** What limits, budgets and tickets count of a held amount, in wei. */
export function sponsoredWei({ amount, userPercent = 0 }: PaidAs & Pick<HoldRequest, 'amount'>): bigint {
  return sponsoredPart(amount, userPercent);
}

/**
 * The minimum that users pay of an operation under a hold, in percent, once a sponsored request joins it: undefined if one
 * of them pays nothing. Only one of the signatures can land, and limits count the most expensive.
 */
function leastUserPercent(
  { userPercent }: PaidAs,
  live: { readonly counted: bigint | undefined; readonly userPercent: number | undefined } | undefined,
): number | undefined {
  if (live?.counted === undefined || userPercent === undefined) return userPercent;
  return live.userPercent === undefined ? undefined : Math.min(live.userPercent, userPercent);
}
