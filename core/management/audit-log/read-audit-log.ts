import { cursorForm, defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import type { Kysely, Selectable } from 'kysely';
import {
  type AuditLogEntry,
  type AuditLogFilter,
  type AuditLogPage,
  authorKinds,
} from '../../domain/access/audit-log.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import { parseAddress } from '../../domain/values/parse-address.ts';
import type { Database } from '../../store/database.ts';

/** What is asked of the log: of one account, or without that of all, which is the operator's. */
export type AuditLogQuery = {
  readonly accountId?: string;
  readonly filter: AuditLogFilter;
  readonly cursor?: string;
  readonly limit?: number;
};

/** `Core.listAuditLog`: the newest first, 1 to 200 of them (50 by default), from `cursor` on. */
export async function readAuditLog(
  db: Kysely<Database>,
  { accountId, filter, cursor, limit = defaultPageSize }: AuditLogQuery,
): Promise<Result<AuditLogPage>> {
  if (cursor !== undefined && !cursorForm.test(cursor)) {
    return invalidField('cursor', 'must be the nextCursor of an answer');
  }
  const { from, until, who, operation, object } = filter;
  const size = Math.min(Math.max(limit, 1), maxPageSize);
  let query = db
    .selectFrom('audit_log')
    .selectAll()
    .where('entry_number', '<', cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor))
    .orderBy('entry_number', 'desc')
    // One more than asked for, to know whether that is all.
    .limit(size + 1);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (from !== undefined) query = query.where('changed_at', '>=', from);
  if (until !== undefined) query = query.where('changed_at', '<', until);
  if (operation !== undefined) query = query.where('operation', '=', operation);
  if (who !== undefined) {
    const wallet = parseAddress(who) ?? who;
    query = query.where(({ eb, or }) =>
      or([eb('actor_kind', '=', who), eb('credential_id', '=', who), eb('wallet', '=', wallet)]),
    );
  }
  if (object !== undefined) {
    // `_` and `%` stand for themselves nowhere in an id.
    const pattern = `% ${object.replace(/[%_\\]/g, '')} %`;
    query = query.where(({ eb, or }) => or([eb('paymaster_id', '=', object), eb('objects', 'like', pattern)]));
  }
  const rows = await query.execute();
  const page = rows.slice(0, size);
  const next = rows.length > size ? page.at(-1)?.entry_number : undefined;
  return accept({ entries: page.map(toEntry), ...omitAbsent({ nextCursor: next?.toString() }) });
}

function toEntry(row: Selectable<Database['audit_log']>): AuditLogEntry {
  return {
    entryId: String(row.entry_number),
    changedAt: row.changed_at,
    operation: row.operation,
    author: authorKinds.find((kind) => kind === row.actor_kind) ?? 'service',
    beforeJson: row.state_before,
    afterJson: row.state_after,
    ...omitAbsent({
      accountId: row.account_id ?? undefined,
      paymasterId: row.paymaster_id ?? undefined,
      credentialId: row.credential_id ?? undefined,
      wallet: row.wallet ?? undefined,
      address: row.address ?? undefined,
      client: row.client ?? undefined,
    }),
  };
}
