import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { secondsQuery } from '../decision-fields.ts';
import { commonErrorResponses, envelopeWith } from '../envelope.ts';
import { AccountHeadersSchema } from '../headers.ts';
import { maxIdLength } from '../limits.ts';
import { needs, withAuthToken } from '../route-metadata.ts';
import { pageQuery } from '../text-field.ts';

const author = z
  .enum(['auth-token', 'session', 'visitor', 'operator', 'peer', 'service'])
  .describe('`visitor`: by signing in. `peer`: a program that speaks gRPC. `service`: by itself.');

const objects = z.record(z.string(), z.record(z.string(), z.unknown()));

export const AuditLogEntrySchema = z.object({
  entryId: z.string().describe('Counts up.'),
  changedAt: z.int().describe('Unix seconds.'),
  operation: z.string().describe('What was done, like `setPolicy`.'),
  author,
  credentialId: z.string().optional().describe('The id of the authToken or session.'),
  wallet: z.string().optional().describe('The wallet that signed in for the session.'),
  address: z.string().optional().describe('Where the request came from.'),
  client: z.string().optional().describe('What program sent it, in its own words.'),
  paymasterId: z.string().optional().describe('Absent for a change of the account itself.'),
  before: objects.describe('Of each object that changed what was, by its kind and id; of what is secret a digest.'),
  after: objects.describe('The same of what is since.'),
});
export type AuditLogItem = z.infer<typeof AuditLogEntrySchema>;

export const AuditLogPageSchema = z.object({
  entries: z.array(AuditLogEntrySchema).describe('Newest first.'),
  nextCursor: z
    .string()
    .optional()
    .describe(
      'The `cursor` of the next page. Absent on the last one. A page may be short or empty and still have one.',
    ),
});
export type AuditLogPage = z.infer<typeof AuditLogPageSchema>;

function text(name: string) {
  return z
    .string()
    .regex(new RegExp(`^[\\w:.-]{1,${maxIdLength}}$`), { error: `${name} must be letters, digits and -_.:` })
    .optional();
}

export const ListAuditLogQuerySchema = z.object({
  ...pageQuery('Entries'),
  from: secondsQuery('from').describe('Unix seconds; from it on.'),
  until: secondsQuery('until').describe('Unix seconds; before it.'),
  who: text('who').describe('An author, the id of an authToken or session, or a wallet.'),
  operation: text('operation').describe('What was done, like `setPolicy`.'),
  object: text('object').describe('The id of an object that changed, or of the paymaster it belongs to.'),
});
export type ListAuditLogQuery = z.infer<typeof ListAuditLogQuerySchema>;

/** Who changed what, and from where. */
export const auditLogRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/audit-log',
    summary: 'List the changes that were made at the account',
    headers: AccountHeadersSchema,
    query: ListAuditLogQuerySchema,
    metadata: needs(['read'], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Audit log fetched', AuditLogPageSchema) },
  },
});
