import { joinCalls } from '../../policies/called-limits/count-calls.ts';
import type { HoldWorth } from '../budgets/worth-with.ts';
import type { LimitUsage } from '../counts/limit-usage.ts';
import type { DraftHold } from './draft-hold.ts';
import { giveTo } from './hold-owner.ts';
import type { HoldRequest } from './hold-request.ts';
import { leastUserPercent } from './sponsored-wei.ts';

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
