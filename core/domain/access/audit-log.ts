import { authorKinds } from '@tollfree/contract/access/audit-log';
import { z } from 'zod';
import { listOf, message, seconds, text } from '../../base/message-schema.ts';

/** Who made a change: the actor of a call, or the service itself. */
export { authorKinds };

/** A change that was made. */
const AuditLogEntrySchema = message('AuditLogEntry', {
  /** Increasing number; decimal. */
  entryId: text,
  changedAt: seconds,
  /** The account that the change concerns. Absent: none. */
  accountId: text.exactOptional(),
  /** The paymaster that the change concerns. Absent: none. */
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
  /** The calling program's own name for itself. */
  client: text.exactOptional(),
  /** JSON: for each changed object, by kind and id, its state before. Contains no secret. */
  beforeJson: text,
  /** JSON text: the same objects with their state after. */
  afterJson: text,
});
export type AuditLogEntry = z.output<typeof AuditLogEntrySchema>;

/** Which changes to list. */
export const AuditLogFilterSchema = message('AuditLogFilter', {
  /** Start, inclusive. */
  from: seconds.exactOptional(),
  /** End, exclusive. */
  until: seconds.exactOptional(),
  /** An author, the id of a credential, or a wallet. */
  who: text.exactOptional(),
  operation: text.exactOptional(),
  /** The id of a changed object, or of the paymaster it belongs to. */
  object: text.exactOptional(),
});
export type AuditLogFilter = z.output<typeof AuditLogFilterSchema>;

/** A page, newest first; `nextCursor` is absent on the last one. */
export const AuditLogPageSchema = message('AuditLogPage', {
  entries: listOf(AuditLogEntrySchema),
  /** Absent on the last page. */
  nextCursor: text.exactOptional(),
});
export type AuditLogPage = z.output<typeof AuditLogPageSchema>;
