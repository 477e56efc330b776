import { maxTicketLength, maxTicketLifetimeSeconds } from '@tollfree/contract/limits';
import type { Refusal } from '../domain/result/refusal.ts';
import { refuse } from '../domain/result/result.ts';

type TicketReason = Extract<Refusal['reason'], `TICKET_${string}`>;

function ticketRefusal(reason: TicketReason, message: string) {
  return refuse({ reason, message });
}

/** Why a ticket is not taken. What it says is repeated in none of them: anybody may have written it. */
export const ticketRefusals = {
  required: ticketRefusal('TICKET_REQUIRED', 'The policy of this paymaster sponsors nothing without a ticket.'),
  tooLarge: ticketRefusal('TICKET_MALFORMED', `The ticket has more than ${maxTicketLength} characters.`),
  malformed: ticketRefusal('TICKET_MALFORMED', 'The ticket is not a signed JWT in its compact form (RFC 7519).'),
  otherType: ticketRefusal('TICKET_MALFORMED', 'The ticket’s typ says that it is a token for something else.'),
  critical: ticketRefusal('TICKET_MALFORMED', 'The ticket asks by crit for an extension that is not supported.'),
  claim: (requirement: string) => ticketRefusal('TICKET_MALFORMED', `The ticket’s ${requirement}.`),
  algorithm: ticketRefusal(
    'TICKET_ALGORITHM_NOT_ALLOWED',
    'The ticket’s alg is none that the paymaster’s ticket keys sign with.',
  ),
  unknownKey: ticketRefusal('TICKET_KEY_NOT_KNOWN', 'No ticket key of this paymaster fits the ticket’s kid and iss.'),
  signature: ticketRefusal(
    'TICKET_SIGNATURE_WRONG',
    'The ticket’s signature is not one of the paymaster’s ticket keys.',
  ),
  otherAudience: ticketRefusal('TICKET_FOR_ANOTHER', 'The ticket’s aud does not name this paymaster.'),
  otherIssuer: ticketRefusal('TICKET_FOR_ANOTHER', 'The ticket’s iss is not the issuer of its key.'),
  expired: ticketRefusal('TICKET_EXPIRED', 'The ticket has expired.'),
  notYetValid: ticketRefusal('TICKET_NOT_YET_VALID', 'The ticket is of the future: its nbf or iat is still to come.'),
  livesTooLong: ticketRefusal(
    'TICKET_LIVES_TOO_LONG',
    `The ticket’s exp is more than ${maxTicketLifetimeSeconds} seconds away.`,
  ),
  keysUnavailable: ticketRefusal(
    'TICKET_KEYS_UNAVAILABLE',
    'The list of keys that the ticket is to be verified with cannot be fetched now.',
  ),
} as const;
