import { ticketKeyKinds } from '@tollfree/contract/ticket-key';
import { z } from 'zod';
import { listOf, message, request, seconds, text } from '../../base/message-schema.ts';

/**
 * Where a paymaster's ticket key comes from: created here (`HS256` a shared secret; `ES256` and `EDDSA` a key pair, whose
 * private half is shown once and not stored), the application's own public key (`JWK`, RFC 7517), or a list at a URL
 * (`JWKS`), such as that of an OpenID provider.
 */
export { ticketKeyKinds };
export type TicketKeyKind = (typeof ticketKeyKinds)[number];

/** A ticket signing key of a paymaster, without its secret parts. */
export const TicketKeySchema = message('TicketKey', {
  ticketKeyId: text,
  /** Chosen by the account holder, unique for the paymaster. */
  name: text,
  kind: z.enum(ticketKeyKinds),
  /** The `kid` in tickets that it signs, if the key has one. */
  kid: text.exactOptional(),
  /** The accepted `alg` values of tickets, determined by the key and never by the ticket. */
  algorithms: listOf(text),
  /** The public key as JSON text (RFC 7517), for `ES256`, `EDDSA` and `JWK`. */
  publicKeyJson: text.exactOptional(),
  /** URL of its key list, for `JWKS`. */
  jwksUrl: text.exactOptional(),
  /** The required `iss`, if set. */
  issuer: text.exactOptional(),
  /** The required `aud`: the paymaster's id unless set otherwise. */
  audience: text,
  createdAt: seconds,
});
export type TicketKey = z.output<typeof TicketKeySchema>;

/** A new key. `secretJson` is the private or shared key as JSON text (RFC 7517), which only this answer contains. */
export const NewTicketKeySchema = message('NewTicketKey', {
  record: TicketKeySchema,
  /** The key that signs the tickets, as JSON text (RFC 7517), if it was created here. Only this answer contains it. */
  secretJson: text.exactOptional(),
});
export type NewTicketKey = z.output<typeof NewTicketKeySchema>;

/** The input for a key: `publicKeyJson` for `JWK`; `jwksUrl`, `issuer` and `audience` for `JWKS`. */
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
