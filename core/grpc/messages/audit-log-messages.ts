import {
  AuditLogEntrySchema,
  AuditLogFilterSchema,
  AuditLogPageSchema,
} from '../../../proto/gen/tollfree/core/v1/audit_log_pb.ts';
import {
  type AuditLogEntry,
  type AuditLogFilter,
  type AuditLogPage,
  authorKinds,
} from '../../domain/access/audit-log.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { seconds } from '../codec/seconds.ts';

const entry = messageOf<AuditLogEntry>()(AuditLogEntrySchema, { changedAt: seconds, author: oneOf(authorKinds) });

export const auditLogPage = messageOf<AuditLogPage>()(AuditLogPageSchema, { entries: listOf(entry) });

export const auditLogFilter = messageOf<AuditLogFilter>()(AuditLogFilterSchema, { from: seconds, until: seconds });
