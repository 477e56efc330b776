import * as api from '@tollfree/contract/ticket-key';
import type { z } from 'zod';
import { fieldsOfApi } from '../../base/fields-of-api.ts';
import { message, text } from '../../base/message-schema.ts';

/**
 * Where a paymaster's ticket key comes from: created here (`HS256` a shared secret; `ES256` and `EDDSA` a key pair, whose
 * private half is shown once and not stored), the application's own public key (`JWK`, RFC 7517), or a list at a URL
 * (`JWKS`), such as that of an OpenID provider.
 */
export const { ticketKeyKinds } = api;
export type TicketKeyKind = (typeof ticketKeyKinds)[number];

/** A ticket signing key of a paymaster, without its secret parts. */
export const TicketKeySchema = message('TicketKey', fieldsOfApi(api.TicketKeySchema));
export type TicketKey = z.output<typeof TicketKeySchema>;

/** A new key. `secretJson` is the private or shared key as JSON text (RFC 7517), which only this answer contains. */
export const NewTicketKeySchema = message('NewTicketKey', {
  record: TicketKeySchema,
  /** The key that signs the tickets, as JSON text (RFC 7517), if it was created here. Only this answer contains it. */
  secretJson: text.exactOptional(),
});
export type NewTicketKey = z.output<typeof NewTicketKeySchema>;
