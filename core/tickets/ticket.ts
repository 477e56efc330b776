import { createHash } from 'node:crypto';
import { maxTicketLength, maxTicketLifetimeSeconds } from '@tollfree/contract/limits';
import type { JWK } from 'jose';
import type { Address, Hex } from 'viem';
import type { Refusal } from '../domain/result/refusal.ts';
import { refuse } from '../domain/result/result.ts';

/** A call that a ticket allows: of one method, or of any if none is given. */
export type TicketCall = { readonly to: Address; readonly selector?: Hex };

/** The content of a verified ticket. */
export type Ticket = {
  readonly keyName: string;
  /** Its user, by {@link ticketUserDigest}. */
  readonly user: string;
  /** The ticket's identity, by {@link ticketDigest}, if its uses or its budget are counted. */
  readonly counted?: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly sender?: Address;
  readonly calls?: readonly TicketCall[];
  readonly uses?: bigint;
  readonly budgetWei?: bigint;
  /** Millionths of a USD. */
  readonly budgetUsdMicros?: bigint;
  readonly label?: string;
  /** `azp` of OpenID Connect: the client for which the token was issued. */
  readonly authorizedParty?: string;
};

/** A paymaster's key that verifies tickets. */
export type TicketVerifier = {
  readonly ticketKeyId: string;
  readonly name: string;
  /** The `kid` of the tickets that it signs; a key without one is tried on every ticket. */
  readonly kid?: string;
  /** The only accepted `alg` values. */
  readonly algorithms: readonly string[];
  readonly issuer?: string;
  readonly audience: string;
} & ({ readonly jwk: JWK } | { readonly jwksUrl: string });

/**
 * The user of a ticket in its stored form: a digest of paymaster, `iss` (empty if the key names no issuer) and `sub`. It
 * does not change when keys do, so limits continue to count. Anyone with the database can check a guessed `sub`.
 */
export function ticketUserDigest(whose: {
  readonly paymasterId: string;
  readonly issuer?: string;
  readonly sub: string;
}) {
  return `subject:${digest([whose.paymasterId, whose.issuer ?? '', whose.sub])}`;
}

/** The identity of a ticket in its stored form: a digest with its `jti`. */
export function ticketDigest(which: { readonly paymasterId: string; readonly issuer?: string; readonly jti: string }) {
  return `ticket:${digest([which.paymasterId, which.issuer ?? '', which.jti])}`;
}

/** JSON keeps the parts separate, whatever they contain. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

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
