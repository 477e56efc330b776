import { maxTicketLength, maxTicketLifetimeSeconds } from '@tollfree/contract/limits';
import type { Refusal } from '../domain/result/refusal.ts';
import { refuse } from '../domain/result/result.ts';

type TicketReason = Extract<Refusal['reason'], `TICKET_${string}`>;

function ticketRefusal(reason: TicketReason, message: string) {
  return refuse({ reason, message });
}

/** Why a ticket is refused. None of these quotes the ticket, which anyone may have written. */
export const ticketRefusals = {
  required: ticketRefusal('TICKET_REQUIRED', 'The policy of this paymaster requires a ticket.'),
  tooLarge: ticketRefusal('TICKET_MALFORMED', `The ticket has more than ${maxTicketLength} characters.`),
  malformed: ticketRefusal('TICKET_MALFORMED', 'The ticket is not a signed JWT in compact form (RFC 7519).'),
  otherType: ticketRefusal('TICKET_MALFORMED', 'The ticket’s typ says that it is a token for another purpose.'),
  critical: ticketRefusal('TICKET_MALFORMED', 'The ticket requires an extension (crit) that is not supported.'),
  claim: (requirement: string) => ticketRefusal('TICKET_MALFORMED', `The ticket’s ${requirement}.`),
  algorithm: ticketRefusal(
    'TICKET_ALGORITHM_NOT_ALLOWED',
    'The ticket’s alg is not used by the paymaster’s ticket keys.',
  ),
  unknownKey: ticketRefusal(
    'TICKET_KEY_NOT_KNOWN',
    'No ticket key of this paymaster matches the ticket’s kid and iss.',
  ),
  signature: ticketRefusal(
    'TICKET_SIGNATURE_WRONG',
    'The ticket’s signature does not match any of the paymaster’s ticket keys.',
  ),
  otherAudience: ticketRefusal('TICKET_FOR_ANOTHER', 'The ticket’s aud does not name this paymaster.'),
  otherIssuer: ticketRefusal('TICKET_FOR_ANOTHER', 'The ticket’s iss is not the issuer of its key.'),
  expired: ticketRefusal('TICKET_EXPIRED', 'The ticket has expired.'),
  notYetValid: ticketRefusal('TICKET_NOT_YET_VALID', 'The ticket is not valid yet: its nbf or iat is in the future.'),
  livesTooLong: ticketRefusal(
    'TICKET_LIVES_TOO_LONG',
    `The ticket’s exp is more than ${maxTicketLifetimeSeconds} seconds in the future.`,
  ),
  keysUnavailable: ticketRefusal(
    'TICKET_KEYS_UNAVAILABLE',
    'The list of keys that verifies the ticket cannot be fetched at the moment.',
  ),
} as const;
