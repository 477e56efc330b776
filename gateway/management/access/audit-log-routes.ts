import type { AuditLogItem } from '@tollfree/contract/access/audit-log';
import { defaultPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { AuditLogEntry } from '../../../core/domain/access/audit-log.ts';
import type { Core } from '../../../core/domain/core.ts';
import { answer, doneWith } from '../answer.ts';
import { callerOf } from '../caller.ts';

/** What was changed at the account, and by whom. */
export function createAuditLogRoutes(core: Core) {
  return initServer().router(managementRouter.auditLog, {
    list: async ({ query: { cursor, limit, from, until, ...rest }, req }) => {
      const times = {
        from: from === undefined ? undefined : Number(from),
        until: until === undefined ? undefined : Number(until),
      };
      const input = {
        accountId: callerOf(req).accountId,
        filter: omitAbsent({ ...rest, ...times }),
        limit: limit === undefined ? defaultPageSize : Number(limit),
        ...omitAbsent({ cursor }),
      };
      return answer(await core.listAuditLog(input), ({ entries, ...page }) =>
        doneWith('Audit log fetched', { entries: entries.map(entryItem), ...page }),
      );
    },
  });
}

function entryItem({ beforeJson, afterJson, accountId: _, ...entry }: AuditLogEntry): AuditLogItem {
  return { ...entry, before: JSON.parse(beforeJson), after: JSON.parse(afterJson) };
}
