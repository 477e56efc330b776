import { authorKinds } from '@tollfree/contract/access/audit-log';
import { z } from 'zod';
import { listOf, message, seconds, text } from '../../base/message-schema.ts';

/** Who has made a change: as an actor of a call, or the service by itself. */
export { authorKinds };

/** A change that was made. */
const AuditLogEntrySchema = message('AuditLogEntry', {
  /** Counts up; decimal. */
  entryId: text,
  changedAt: seconds,
  /** Whose account it was about. Absent: no one's. */
  accountId: text.exactOptional(),
  /** Which paymaster it was about. Absent: none. */
  paymasterId: text.exactOptional(),
  /** Method of this service, in lower camel case. */
  operation: text,
  author: z.enum(authorKinds),
  /** The id of the authToken or session. */
  credentialId: text.exactOptional(),
  /** The wallet that signed in for the session. */
  wallet: text.exactOptional(),
  /** Where the request came from. */
  address: text.exactOptional(),
  /** What program sent it, in its own words. */
  client: text.exactOptional(),
  /** JSON: of each object that changed what was, by its kind and id. Nothing secret. */
  beforeJson: text,
  /** JSON text: the same of what is since. */
  afterJson: text,
});
export type AuditLogEntry = z.output<typeof AuditLogEntrySchema>;

/** Which changes are asked for. */
export const AuditLogFilterSchema = message('AuditLogFilter', {
  /** From it on. */
  from: seconds.exactOptional(),
  /** Before it. */
  until: seconds.exactOptional(),
  /** An author, the id of a credential, or a wallet. */
  who: text.exactOptional(),
  operation: text.exactOptional(),
  /** The id of an object that changed, or of the paymaster it belongs to. */
  object: text.exactOptional(),
});
export type AuditLogFilter = z.output<typeof AuditLogFilterSchema>;

/** A page, the newest first; `nextCursor` is absent on the last one. */
export const AuditLogPageSchema = message('AuditLogPage', {
  entries: listOf(AuditLogEntrySchema),
  /** Absent on the last page. */
  nextCursor: text.exactOptional(),
});
export type AuditLogPage = z.output<typeof AuditLogPageSchema>;
