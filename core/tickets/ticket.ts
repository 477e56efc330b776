import { createHash } from 'node:crypto';
import type { JWK } from 'jose';
import type { Address, Hex } from 'viem';

/** A call that a ticket allows: of one method, or of any if none is given. */
export type TicketCall = { readonly to: Address; readonly selector?: Hex };

/** The content of a verified ticket. */
export type Ticket = {
  readonly keyName: string;
  /** Its user, by {@link subjectDigest}. */
  readonly subject: string;
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
export function subjectDigest(whose: { readonly paymasterId: string; readonly issuer?: string; readonly sub: string }) {
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
