import { unixSeconds } from '../../base/time/clock.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { ticketRefusals } from '../../tickets/ticket-refusals.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { Asked } from '../run/asked.ts';
import type { Window } from './choose-window.ts';

/** Limits the window of a signature to its ticket's expiry, by our clock and by that of the chain's latest block. */
export function endWithTicket(window: Window, { ticket, parts, view }: Ticketed & Asked & Viewed): Result<Window> {
  if (ticket === undefined || ticket.expiresAt >= window.validUntil) return accept(window);
  const now = Math.max(unixSeconds(parts.clock), view.headTime);
  return ticket.expiresAt <= now ? ticketRefusals.expired : accept({ ...window, validUntil: ticket.expiresAt });
}
