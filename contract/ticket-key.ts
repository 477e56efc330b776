import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { exactly } from './fields/exactly.ts';
import { withForm, withObjectForm } from './fields/form.ts';
import { jsonForm, seconds, withRecord } from './fields/forms.ts';
import { maxIdLength, maxIssuerLength, maxNameLength, maxUrlLength } from './limits.ts';
import { manageOperation, readOperation } from './operation.ts';
import { PaymasterParamsSchema } from './paymaster.ts';
import { choiceField, textField } from './text-field.ts';

export const ticketKeyKinds = ['HS256', 'ES256', 'EDDSA', 'JWK', 'JWKS'] as const;

const JwkSchema = withForm(z.record(z.string(), z.unknown(), { error: 'publicKey must be an object' }), jsonForm);

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
  createdAt: seconds,
});
export type TicketKeyItem = z.infer<typeof TicketKeySchema>;

export const CreatedTicketKeySchema = withObjectForm(
  TicketKeySchema.extend({
    secret: JwkSchema.optional().describe(
      'The private key that signs tickets (RFC 7517). For HS256, ES256 and EDDSA. It is shown only in this answer.',
    ),
  }),
  withRecord,
);
export type CreatedTicketKey = z.infer<typeof CreatedTicketKeySchema>;

export const CreateTicketKeyRequestSchema = exactly({
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

export const DeleteTicketKeyRequestSchema = exactly({ ticketKeyId: textField('ticketKeyId', maxIdLength) });
export type DeleteTicketKeyRequest = z.infer<typeof DeleteTicketKeyRequestSchema>;

const path = '/paymaster/:paymasterId/ticket-key';
const { paymasterNotFound, ticketKeyNameExists, ticketKeyNotFound } = managementErrors;

/** The keys that sign the tickets of a paymaster's users. */
export const ticketKeyOperations = {
  /** The keys that sign a paymaster's tickets, oldest first, without secrets. */
  list: readOperation('listTicketKeys', {
    path,
    summary: 'List the keys that sign tickets for a paymaster',
    credentials: 'account',
    pathParams: PaymasterParamsSchema,
    message: 'Ticket key list fetched',
    data: z.array(TicketKeySchema),
    errors: [paymasterNotFound],
  }),
  /**
   * Generates a ticket key, or registers the application's own. `secret` of the answer signs tickets, and only this answer
   * contains it.
   *
   * @example
   * const { secret } = await client.createTicketKey({ paymasterId, name: 'backend', kind: 'ES256' });
   */
  create: manageOperation('createTicketKey', {
    method: 'POST',
    path,
    summary: 'Generate or register a key that signs tickets',
    credentials: 'account',
    pathParams: PaymasterParamsSchema,
    body: CreateTicketKeyRequestSchema,
    message: 'Ticket key created',
    data: CreatedTicketKeySchema,
    errors: [paymasterNotFound, ticketKeyNameExists],
    repeatable: false,
    changes: 'ticket keys',
  }),
  /** Deletes a ticket key: its tickets are no longer accepted. */
  delete: manageOperation('deleteTicketKey', {
    method: 'DELETE',
    path,
    summary: 'Delete a key that signs tickets',
    credentials: 'account',
    pathParams: PaymasterParamsSchema,
    body: DeleteTicketKeyRequestSchema,
    message: 'Ticket key deleted',
    errors: [paymasterNotFound, ticketKeyNotFound],
    repeatable: false,
    changes: 'ticket keys',
  }),
} as const;
