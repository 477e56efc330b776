import { ticketKeyKinds } from '@tollfree/contract/tickets/ticket-key';

/**
 * Where the key comes from that signs a paymaster's tickets: made here (`HS256` a shared secret, `ES256` and `EDDSA` a pair of
 * which the private half is told once and not kept), the application's own public key (`JWK`, RFC 7517), or whatever a URL
 * lists (`JWKS`), as that of an OpenID provider does.
 */
export { ticketKeyKinds };
export type TicketKeyKind = (typeof ticketKeyKinds)[number];

/** A key that signs tickets of a paymaster, without anything secret. */
export type TicketKey = {
  readonly ticketKeyId: string;
  readonly name: string;
  readonly kind: TicketKeyKind;
  /** The `kid` of a ticket that it signs, where the key has one. */
  readonly kid?: string;
  /** The `alg` that a ticket may name, decided by the key and never by the ticket. */
  readonly algorithms: readonly string[];
  /** The public key as JSON text (RFC 7517), of `ES256`, `EDDSA` and `JWK`. */
  readonly publicKeyJson?: string;
  /** Of `JWKS`. */
  readonly jwksUrl?: string;
  /** What `iss` has to be, where that is said. */
  readonly issuer?: string;
  /** What `aud` has to hold: the paymaster's id where nothing else is said. */
  readonly audience: string;
  /** Unix seconds. */
  readonly createdAt: number;
};

/** A key that was made. `secretJson` is the private or shared key as JSON text (RFC 7517), told in this answer and never again. */
export type NewTicketKey = { readonly record: TicketKey; readonly secretJson?: string };

/** What a key is made of: `publicKeyJson` for `JWK`; `jwksUrl`, `issuer` and `audience` for `JWKS`. */
export type TicketKeyInput = {
  readonly name: string;
  readonly kind: string;
  readonly publicKeyJson?: string;
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string;
};
