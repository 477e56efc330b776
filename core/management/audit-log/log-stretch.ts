import type { Transaction } from 'kysely';
import type { AuditLogFilter } from '../../domain/access/audit-log.ts';
import type { Database } from '../../store/database.ts';

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
export async function findStretch(
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
export function inStretch(snapshot: Transaction<Database>, { key, from, before }: LogStretch) {
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
