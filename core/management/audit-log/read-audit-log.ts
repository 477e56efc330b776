import { cursorForm, defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Expression, ExpressionBuilder, Selectable, SqlBool, Transaction } from 'kysely';
import { parseAddress } from '../../base/values/parse-address.ts';
import {
  type AuditLogEntry,
  type AuditLogFilter,
  type AuditLogPage,
  authorKinds,
} from '../../domain/access/audit-log.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import type { Database } from '../../store/database.ts';
import type { Store } from '../../store/store.ts';

/** A query of the log: for one account, or (operator only) for all. */
type AuditLogQuery = {
  readonly accountId?: string;
  readonly filter: AuditLogFilter;
  readonly cursor?: string;
  readonly limit?: number;
};

/** Characters of states in one page, but one entry: an answer is checked and written in one turn of the event loop. */
const maxPageCharacters = 400_000;

/** The first rows, as many as fit in a page. */
function upToCharacters(
  rows: readonly Selectable<Database['audit_log']>[],
): readonly Selectable<Database['audit_log']>[] {
  let characters = 0;
  const end = rows.findIndex(({ state_before, state_after }) => {
    characters += state_before.length + state_after.length;
    return characters > maxPageCharacters;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1));
}

/** `Core.listAuditLog`: the newest first, 1 to 200 of them (50 by default), from `cursor` on; fewer if they are long. */
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
    const page = upToCharacters(rows.slice(0, size));
    const next = rows.length > page.length ? page.at(-1)?.entry_number : stretch.goesOnAfter;
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

/** Most entries that one answer compares with a filter. At this number it ends with a cursor, however few it found. */
const maxCompared = 5_000;

/** Time and number of an entry. Entries are ordered by time, and by number within one second. */
type Position = readonly [changedAt: number, entryNumber: number];

/**
 * Entries of one key, from `from` on, up to before `before`. `goesOnAfter` is the number of the first of them, if there are
 * more than one answer compares.
 */
type LogStretch = {
  readonly key: string;
  readonly from: Position;
  readonly before: Position;
  readonly goesOnAfter?: number;
};

/**
 * The entries that one answer reads. Undefined for a cursor whose entry has been pruned, since then all entries before it
 * have.
 */
async function findStretch(
  snapshot: Transaction<Database>,
  key: string,
  { filter, cursor }: { readonly filter: AuditLogFilter; readonly cursor: string | undefined },
): Promise<LogStretch | undefined> {
  const { from = 0, until = Number.MAX_SAFE_INTEGER } = filter;
  const reached = cursor === undefined ? undefined : await positionOf(snapshot, Number(cursor));
  if (cursor !== undefined && reached === undefined) return undefined;
  // No entry has the number 0.
  const before: Position = reached !== undefined && reached[0] < until ? reached : [until, 0];
  const stretch: LogStretch = { key, from: [from, 0], before };
  const last = await inStretch(snapshot, stretch)
    .select(['keys.changed_at', 'keys.entry_number'])
    .offset(maxCompared - 1)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return stretch;
  return { ...stretch, from: [last.changed_at, last.entry_number], goesOnAfter: last.entry_number };
}

/** Newest first, using only the index. */
function inStretch(snapshot: Transaction<Database>, { key, from, before }: LogStretch) {
  return snapshot
    .selectFrom('audit_log_keys as keys')
    .where('keys.key', '=', key)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('keys.changed_at', 'keys.entry_number'), '>=', tuple(...from)))
    .where(({ eb, refTuple, tuple }) => eb(refTuple('keys.changed_at', 'keys.entry_number'), '<', tuple(...before)))
    .orderBy('keys.changed_at', 'desc')
    .orderBy('keys.entry_number', 'desc');
}

async function positionOf(snapshot: Transaction<Database>, entryNumber: number): Promise<Position | undefined> {
  const row = await snapshot
    .selectFrom('audit_log')
    .select('changed_at')
    .where('entry_number', '=', entryNumber)
    .executeTakeFirst();
  return row && [row.changed_at, entryNumber];
}
