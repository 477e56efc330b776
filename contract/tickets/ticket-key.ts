import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelope, envelopeWith } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import { AccountHeadersSchema } from '../headers.ts';
import { maxIdLength, maxIssuerLength, maxNameLength, maxUrlLength } from '../limits.ts';
import { needs, withAuthToken } from '../route-metadata.ts';
import { choiceField, requestBody, textField } from '../text-field.ts';

export const ticketKeyKinds = ['HS256', 'ES256', 'EDDSA', 'JWK', 'JWKS'] as const;

const JwkSchema = z.record(z.string(), z.unknown(), { error: 'publicKey must be an object' });

export const TicketKeySchema = z.object({
  ticketKeyId: z.string(),
  name: z.string(),
  kind: z.enum(ticketKeyKinds),
  kid: z.string().optional().describe('The `kid` of its tickets, if set.'),
  algorithms: z.array(z.string()).describe('The accepted `alg` of its tickets.'),
  publicKey: JwkSchema.optional().describe('The public key (RFC 7517). For ES256, EDDSA and JWK.'),
  jwksUrl: z.string().optional().describe('URL of the key list. For JWKS.'),
  issuer: z.string().optional().describe('Required `iss` of its tickets.'),
  audience: z.string().describe('Required `aud` of its tickets.'),
  createdAt: z.int().describe('Unix seconds.'),
});
export type TicketKeyItem = z.infer<typeof TicketKeySchema>;

export const CreatedTicketKeySchema = TicketKeySchema.extend({
  secret: JwkSchema.optional().describe(
    'The private key that signs tickets (RFC 7517). For HS256, ES256 and EDDSA. It is shown only in this answer.',
  ),
});
export type CreatedTicketKey = z.infer<typeof CreatedTicketKeySchema>;

export const CreateTicketKeyRequestSchema = requestBody({
  name: textField('name', maxNameLength),
  kind: choiceField('kind', ticketKeyKinds).describe(
    'HS256, ES256, EDDSA: the service generates the key. JWK: your own public key. JWKS: the key list of an issuer.',
  ),
  publicKey: JwkSchema.optional().describe('For JWK: RSA, EC or Ed25519, without private parts.'),
  jwksUrl: textField('jwksUrl', maxUrlLength).optional().describe('For JWKS: https, at a public address.'),
  issuer: textField('issuer', maxIssuerLength).optional().describe('Required `iss` of tickets. Mandatory for JWKS.'),
  audience: textField('audience', maxIssuerLength)
    .optional()
    .describe('Required `aud` of tickets; the paymasterId by default. Mandatory for JWKS.'),
});
export type CreateTicketKeyRequest = z.infer<typeof CreateTicketKeyRequestSchema>;

export const DeleteTicketKeyRequestSchema = requestBody({ ticketKeyId: textField('ticketKeyId', maxIdLength) });
export type DeleteTicketKeyRequest = z.infer<typeof DeleteTicketKeyRequestSchema>;

const path = '/paymaster/:paymasterId/ticket-key';
const errors = { ...commonErrorResponses, 404: ErrorEnvelopeSchema };

/** The keys that sign the tickets of a paymaster's users. */
export const ticketKeyRouter = initContract().router({
  list: {
    method: 'GET',
    path,
    summary: 'List the keys that sign tickets for a paymaster',
    headers: AccountHeadersSchema,
    metadata: needs(['read'], withAuthToken('none', managementErrors.paymasterNotFound)),
    responses: { ...errors, 200: envelopeWith('Ticket key list fetched', z.array(TicketKeySchema)) },
  },
  create: {
    method: 'POST',
    path,
    summary: 'Generate or register a key that signs tickets',
    headers: AccountHeadersSchema,
    body: CreateTicketKeyRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken('management', managementErrors.paymasterNotFound, managementErrors.ticketKeyNameExists),
    ),
    responses: { ...errors, 200: envelopeWith('Ticket key created', CreatedTicketKeySchema) },
  },
  delete: {
    method: 'DELETE',
    path,
    summary: 'Delete a key that signs tickets',
    headers: AccountHeadersSchema,
    body: DeleteTicketKeyRequestSchema,
    metadata: needs(
      ['manage'],
      withAuthToken('management', managementErrors.paymasterNotFound, managementErrors.ticketKeyNotFound),
    ),
    responses: { ...errors, 200: envelope('Ticket key deleted') },
  },
});
