import { z } from 'zod';
import { secondsQuery } from '../decision-fields.ts';
import { exactly } from '../fields/exactly.ts';
import { withForm } from '../fields/form.ts';
import { jsonForm, seconds } from '../fields/forms.ts';
import { maxIdLength } from '../limits.ts';
import { readOperation } from '../operation.ts';
import { pageQuery } from '../text-field.ts';

/** Who made a change. */
export const authorKinds = ['auth-token', 'session', 'visitor', 'operator', 'peer', 'service'] as const;

const author = z
  .enum(authorKinds)
  .describe('`visitor`: by signing in. `peer`: a gRPC client. `service`: the service itself.');

const objects = withForm(z.record(z.string(), z.record(z.string(), z.unknown())), jsonForm);

export const AuditLogEntrySchema = z.object({
  entryId: z.string().describe('Increases with each entry.'),
  changedAt: seconds,
  operation: z.string().describe('The operation, such as `setPolicy`.'),
  author,
  credentialId: z.string().optional().describe('The id of the authToken or session.'),
  wallet: z.string().optional().describe('The wallet that signed in for the session.'),
  address: z.string().optional().describe('IP address of the request.'),
  client: z.string().optional().describe('The program that sent it, as named in `User-Agent`.'),
  paymasterId: z.string().optional().describe('Absent for a change of the account itself.'),
  before: objects.describe('The changed objects before the change, by kind and id. Secrets appear as digests.'),
  after: objects.describe('The changed objects after the change, in the same form.'),
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

export const ListAuditLogQuerySchema = exactly({
  ...pageQuery('Entries'),
  from: secondsQuery('from').describe('Unix seconds, inclusive.'),
  until: secondsQuery('until').describe('Unix seconds, exclusive.'),
  who: text('who').describe('Who made the change: the id of an authToken or session, or a wallet.'),
  operation: text('operation').describe('The operation, such as `setPolicy`.'),
  object: text('object').describe('The id of an object that changed, or of the paymaster it belongs to.'),
});
export type ListAuditLogQuery = z.input<typeof ListAuditLogQuerySchema>;

/** The account's audit log: who changed what, and from where. */
export const auditLogOperations = {
  /** A page of the changes to the account, newest first: who made each, from where, and what it changed. */
  list: readOperation('listAuditLog', {
    path: '/audit-log',
    summary: 'List the changes to the account',
    credentials: 'account',
    query: ListAuditLogQuerySchema,
    queryAs: 'filter',
    message: 'Audit log fetched',
    data: AuditLogPageSchema,
  }),
} as const;
