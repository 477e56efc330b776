import type { JWK } from 'jose';

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
