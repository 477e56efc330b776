import { createHash } from 'node:crypto';
import type { JWK } from 'jose';
import type { Address, Hex } from 'viem';

/** A call that a ticket is good for: of one method, or of any where none is said. */
export type TicketCall = { readonly to: Address; readonly selector?: Hex };

/** What a verified ticket says. */
export type Ticket = {
  readonly keyName: string;
  /** Whose it is, by {@link subjectDigest}. */
  readonly subject: string;
  /** Which one it is, by {@link ticketDigest}, where its uses or its budget are counted. */
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
  /** `azp` of OpenID Connect: the client that the token was made for. */
  readonly authorizedParty?: string;
};

/** A key of a paymaster that tickets are verified with. */
export type TicketVerifier = {
  readonly ticketKeyId: string;
  readonly name: string;
  /** The `kid` of a ticket that it signs; one without has to be tried. */
  readonly kid?: string;
  /** The only `alg` that are taken. */
  readonly algorithms: readonly string[];
  readonly issuer?: string;
  readonly audience: string;
} & ({ readonly jwk: JWK } | { readonly jwksUrl: string });

/**
 * Whose a ticket is, as it is kept: a digest of paymaster, `iss` (empty where the key names no issuer) and `sub`. It stays the same
 * when keys change, so that limits go on counting; who has the database and guesses a `sub` can check the guess.
 */
export function subjectDigest(whose: { readonly paymasterId: string; readonly issuer?: string; readonly sub: string }) {
  return `subject:${digest([whose.paymasterId, whose.issuer ?? '', whose.sub])}`;
}

/** Which ticket it is, as it is kept: the same of its `jti`. */
export function ticketDigest(which: { readonly paymasterId: string; readonly issuer?: string; readonly jti: string }) {
  return `ticket:${digest([which.paymasterId, which.issuer ?? '', which.jti])}`;
}

/** JSON keeps the parts apart, whatever is in them. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
