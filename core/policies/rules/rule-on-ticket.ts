import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-ticket' as const;

/** Requires a ticket where the policy does. `ticketUser` is the digest of its user. */
export function ruleOnTicket({ requireTicket }: Policy, ticketUser: string | undefined): readonly Ruling[] {
  if (!requireTicket && ticketUser === undefined) return [];
  const seen: Ruling = { rule, finding: [rule, ticketUser, requireTicket] };
  if (ticketUser !== undefined) return [seen];
  const message = 'The policy of this paymaster requires a ticket, and none was sent.';
  return [{ ...seen, refusal: { reason: 'TICKET_REQUIRED', message } }];
}
