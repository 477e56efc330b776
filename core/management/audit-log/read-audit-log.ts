import { cursorForm, defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import { parseAddress } from '../../base/values/parse-address.ts';
import {
  type AuditLogEntry,
  type AuditLogFilter,
  type AuditLogPage,
  authorKinds,
} from '../../domain/access/audit-log.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';
import { findStretch, inStretch } from './log-stretch.ts';

/** A query of the log: for one account, or (operator only) for all. */
type AuditLogQuery = {
  readonly accountId?: string;
  readonly filter: AuditLogFilter;
  readonly cursor?: string;
  readonly limit?: number;
};

/** `Core.listAuditLog`: the newest first, 1 to 200 of them (50 by default), from `cursor` on. */
export async function readAuditLog(
  { read }: Pick<Store, 'read'>,
  { accountId, filter, cursor, limit = defaultPageSize }: AuditLogQuery,
): Promise<Result<AuditLogPage>> {
  if (cursor !== undefined && !cursorForm.test(cursor)) {
    return invalidField('cursor', 'must be the nextCursor of an earlier answer');
  }
  const size = Math.min(Math.max(limit, 1), maxPageSize);
  return read(async (snapshot) => {
    const stretch = await findStretch(snapshot, keyOf(accountId, filter), { filter, cursor });
    if (stretch === undefined) return accept({ entries: [] });
    const rows = await inStretch(snapshot, stretch)
      .innerJoin('audit_log', 'audit_log.entry_number', 'keys.entry_number')
      .selectAll('audit_log')
      .where((entry) => fits(entry, accountId, filter))
      // One more than asked for, to know whether that is all.
      .limit(size + 1)
      .execute();
    const page = rows.slice(0, size);
    const next = rows.length > size ? page.at(-1)?.entry_number : stretch.goesOnAfter;
    return accept({ entries: page.map(toEntry), ...omitAbsent({ nextCursor: next?.toString() }) });
  });
}

/** The most selective key that the filter allows. Migration 41 has all of them. */
function keyOf(accountId: string | undefined, { who, operation, object }: AuditLogFilter): string {
  if (object !== undefined) return `object ${object.toLowerCase()}`;
  if (who !== undefined && !isKind(who)) return `who ${parseAddress(who) ?? who}`;
  const ofAccount = accountId === undefined ? '' : `${accountId} `;
  if (operation !== undefined) return `${ofAccount}operation ${operation}`;
  if (who !== undefined) return `${ofAccount}who ${who}`;
  return accountId === undefined ? 'any' : `account ${accountId}`;
}

function isKind(who: string): boolean {
  return authorKinds.some((kind) => kind === who);
}

/** Whether an entry matches the whole filter, whichever part of it is the key. */
function fits(
  { eb, and, or }: ExpressionBuilder<Database, 'audit_log'>,
  accountId: string | undefined,
  { who, operation }: AuditLogFilter,
): Expression<SqlBool> {
  const wanted: Expression<SqlBool>[] = [];
  if (accountId !== undefined) wanted.push(eb('audit_log.account_id', '=', accountId));
  if (operation !== undefined) wanted.push(eb('audit_log.operation', '=', operation));
  if (who !== undefined) {
    const wallet = parseAddress(who) ?? who;
    wanted.push(or([eb('actor_kind', '=', who), eb('credential_id', '=', who), eb('wallet', '=', wallet)]));
  }
  return and(wanted);
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
