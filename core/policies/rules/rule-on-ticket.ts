import type { Policy } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-ticket' as const;

/** Requires a ticket where the policy does. `subject` is the digest of its user. */
export function ruleOnTicket({ requireTicket }: Policy, subject: string | undefined): readonly Ruling[] {
  if (!requireTicket && subject === undefined) return [];
  const seen: Ruling = { rule, finding: [rule, subject, requireTicket] };
  if (subject !== undefined) return [seen];
  const message = 'The policy of this paymaster requires a ticket, and none was sent.';
  return [{ ...seen, refusal: { reason: 'TICKET_REQUIRED', message } }];
}
