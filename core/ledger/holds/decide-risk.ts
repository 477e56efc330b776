import { maxBigint } from '../../domain/values/bigint-bounds.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { capUnpaid, type RiskyHold } from './cap-unpaid.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldBook } from './hold-book.ts';
import type { HoldRequest } from './hold-request.ts';
import { riskIdentity } from './unpaid-risk.ts';

/** What of a request can be lost beyond what of its hold can already, in wei. */
export function riskAdded({ unpaidBudget, amount }: HoldRequest, live: DraftHold | undefined): bigint {
  return unpaidBudget === undefined ? 0n : maxBigint(amount - (live?.atRisk ?? 0n), 0n);
}

/** The operator's budget for what may end unpaid, where the request may. */
export function decideRisk(
  { risks }: HoldBook,
  request: HoldRequest,
  hold: Pick<RiskyHold, 'joined' | 'added' | 'spendable'>,
): readonly Ruling[] {
  const { unpaidBudget: budget, sender } = request;
  if (budget === undefined) return [];
  const ofSender = risks.get(riskIdentity(request, sender)) ?? 0n;
  return [capUnpaid({ ...hold, budget, ofSender, ofPaymaster: risks.get(riskIdentity(request)) ?? 0n })];
}

/** Counts what a request adds to what may end unpaid. */
export function addRisk({ risks }: HoldBook, request: HoldRequest, added: bigint): void {
  if (request.unpaidBudget === undefined) return;
  for (const identity of [riskIdentity(request), riskIdentity(request, request.sender)]) {
    risks.set(identity, (risks.get(identity) ?? 0n) + added);
  }
}
