import * as api from '@tollfree/contract/access/audit-log';
import type { z } from 'zod';
import { fieldsOfApi } from '../../base/fields-of-api.ts';
import { message, text } from '../../base/message-schema.ts';

/** Who made a change: the actor of a call, or the service itself. */
export const { authorKinds } = api;

/** A change that was made. */
const AuditLogEntrySchema = message('AuditLogEntry', {
  ...fieldsOfApi(api.AuditLogEntrySchema),
  /** The account that the change concerns. Absent: none. */
  accountId: text.exactOptional(),
});
export type AuditLogEntry = z.output<typeof AuditLogEntrySchema>;

/** Which changes to list. */
export const AuditLogFilterSchema = message(
  'AuditLogFilter',
  fieldsOfApi(api.ListAuditLogQuerySchema.omit({ cursor: true, limit: true })),
);
export type AuditLogFilter = z.output<typeof AuditLogFilterSchema>;

/** A page, newest first; `nextCursor` is absent on the last one. */
export const AuditLogPageSchema = message(
  'AuditLogPage',
  fieldsOfApi(api.AuditLogPageSchema, { entries: AuditLogEntrySchema }),
);
export type AuditLogPage = z.output<typeof AuditLogPageSchema>;
