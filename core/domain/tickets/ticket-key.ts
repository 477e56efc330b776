import { ticketKeyKinds } from '@tollfree/contract/ticket-key';
import { z } from 'zod';
import { listOf, message, request, seconds, text } from '../../base/message-schema.ts';

/**
 * Where the key comes from that signs a paymaster's tickets: made here (`HS256` a shared secret, `ES256` and `EDDSA` a pair of
 * which the private half is told once and not kept), the application's own public key (`JWK`, RFC 7517), or whatever a URL
 * lists (`JWKS`), as that of an OpenID provider does.
 */
export { ticketKeyKinds };
export type TicketKeyKind = (typeof ticketKeyKinds)[number];

/** A key that signs tickets of a paymaster, without anything secret. */
export const TicketKeySchema = message('TicketKey', {
  ticketKeyId: text,
  /** Chosen by the account holder, unique for the paymaster. */
  name: text,
  kind: z.enum(ticketKeyKinds),
  /** The `kid` of a ticket that it signs, where the key has one. */
  kid: text.exactOptional(),
  /** The `alg` that a ticket may name, decided by the key and never by the ticket. */
  algorithms: listOf(text),
  /** The public key as JSON text (RFC 7517), of `ES256`, `EDDSA` and `JWK`. */
  publicKeyJson: text.exactOptional(),
  /** Where its list of keys is, of `JWKS`. */
  jwksUrl: text.exactOptional(),
  /** What `iss` has to be, where that is said. */
  issuer: text.exactOptional(),
  /** What `aud` has to hold: the paymaster's id where nothing else is said. */
  audience: text,
  createdAt: seconds,
});
export type TicketKey = z.output<typeof TicketKeySchema>;

/**
 * A key that was made. `secretJson` is the private or shared key as JSON text (RFC 7517), told in this answer and never
 * again.
 */
export const NewTicketKeySchema = message('NewTicketKey', {
  record: TicketKeySchema,
  /** What signs the tickets as JSON text (RFC 7517), where it was made here. Told in this answer and never again. */
  secretJson: text.exactOptional(),
});
export type NewTicketKey = z.output<typeof NewTicketKeySchema>;

/** What a key is made of: `publicKeyJson` for `JWK`; `jwksUrl`, `issuer` and `audience` for `JWKS`. */
export const ticketKeyInput = {
  name: text,
  kind: text,
  publicKeyJson: text.exactOptional(),
  jwksUrl: text.exactOptional(),
  issuer: text.exactOptional(),
  audience: text.exactOptional(),
};
const TicketKeyInputSchema = request(ticketKeyInput);
export type TicketKeyInput = z.output<typeof TicketKeyInputSchema>;
