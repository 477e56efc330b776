import { omitAbsent } from '@tollfree/contract/omit-absent';
import { wholePercent } from '../../domain/user-share.ts';
import type { HoldRequest } from '../../ledger/holds/hold-request.ts';
import { countCalls } from '../../policies/called-limits/count-calls.ts';
import { freshPrice } from '../../quotes/last-coin-price.ts';
import type { Ticket } from '../../tickets/ticket.ts';
import type { PricedCost } from '../cost/price-coin.ts';
import type { Identified } from '../identify/identify.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import { withContent } from '../permit/decode-calls.ts';
import type { PaidCalls } from '../permit/paid-calls.ts';
import { ticketLimits } from '../permit/ticket-limits.ts';
import type { Asked } from '../run/asked.ts';
import type { UserPays } from '../run/user-pays.ts';
import { countUnasked } from './failure-budgets.ts';

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
