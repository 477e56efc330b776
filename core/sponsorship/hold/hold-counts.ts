import { omitAbsent } from '@tollfree/contract/omit-absent';
import { wholePercent } from '../../domain/user-share.ts';
import type { HoldRequest } from '../../ledger/holds/hold-request.ts';
import { budgetKey } from '../../policies/called-limits/called-key.ts';
import { type CalledCounts, countCalls } from '../../policies/called-limits/count-calls.ts';
import type { CountedLimit } from '../../policies/rules/ruling.ts';
import { freshPrice } from '../../quotes/last-coin-price.ts';
import type { Ticket } from '../../tickets/ticket.ts';
import type { CallableWebhook } from '../../webhooks/webhook-caller.ts';
import type { PricedCost } from '../cost/price-coin.ts';
import type { Identified } from '../identify/identify.ts';
import { type Ticketed, ticketLimits } from '../permit/check-ticket.ts';
import { type PaidCalls, withContent } from '../permit/decode-calls.ts';
import type { Asked } from '../run/asked.ts';
import type { UserPays } from '../run/user-pays.ts';

/** Facts that determine which limits count a hold in token mode. */
export type Counted = Ticketed & PaidCalls & PricedCost & UserPays;

/** Fields for limits and budgets of an operation with a user share; empty if the user pays everything. */
export function countShare(
  request: Asked & Identified & Counted,
): Pick<HoldRequest, 'userPercent' | 'usdMicrosPerCoin' | 'seenUsdMicrosPerCoin' | 'calls' | 'failureBudgets'> {
  const { userPercent, usdMicrosPerCoin, profile, paidCalls, chain, parts } = request;
  if (userPercent === wholePercent) return {};
  const called = countCalls(profile.calledLimits, (paidCalls?.judged ?? []).map(withContent));
  const seenUsdMicrosPerCoin = freshPrice(chain.coinPrice, parts.clock);
  return {
    userPercent,
    ...countUnasked(profile.webhooks, [], called),
    ...omitAbsent({ usdMicrosPerCoin, seenUsdMicrosPerCoin }),
  };
}

/** The user of the hold, and which ticket counts it. */
export function ownedBy(ticket: Ticket | undefined): Pick<HoldRequest, 'subject' | 'ticket'> {
  if (ticket === undefined) return {};
  const { subject, counted, expiresAt: endsAt } = ticket;
  return {
    subject,
    ...(counted === undefined ? {} : { ticket: { id: counted, endsAt, limits: ticketLimits(ticket) } }),
  };
}

/**
 * The budgets for sponsoring without webhooks, with what this operation counts: 1 for each skipped webhook. All budgets are
 * included, since a hold that the operation joins may have skipped others.
 */
export function countUnasked(
  webhooks: readonly CallableWebhook[],
  unasked: readonly CallableWebhook[],
  calls: CalledCounts,
): Pick<HoldRequest, 'failureBudgets' | 'calls'> {
  const counts = new Map(calls);
  const without = new Set(unasked.map(({ webhookId }) => webhookId));
  const failureBudgets: CountedLimit[] = [];
  for (const { webhookId, failureBudget } of webhooks) {
    if (failureBudget === undefined) continue;
    const { window, max, era } = failureBudget;
    const key = budgetKey(webhookId, era);
    counts.set(key, without.has(webhookId) ? 1 : 0);
    failureBudgets.push({ per: 'webhook', webhook: { webhookId, key }, window, unit: 'wei', max });
  }
  return { failureBudgets, calls: counts };
}
