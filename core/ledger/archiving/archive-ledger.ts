import { maxArchiveDays, minArchiveDays } from '@tollfree/contract/limits';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { ArchiveStep } from '../../domain/ledger-report.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import { windowStart } from '../../policies/limit-window.ts';
import type { Store } from '../../store/store.ts';
import {
  type ArchivedRow,
  type ArchivedTable,
  archivedTables,
  findRows,
  fromLines,
  keyColumns,
  type StoredRow,
  toLines,
} from './archived-tables.ts';
import { dropRows, RowStays } from './drop-rows.ts';

/**
 * One step of archiving: deletes the rows that the caller has stored, and returns the next ones. So no row is deleted before
 * it is stored, and repeating a step changes nothing more.
 */
export async function archiveLedger(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  asked: { readonly olderThanDays: number; readonly after: string; readonly stored: string },
): Promise<Result<ArchiveStep>> {
  const { olderThanDays } = asked;
  if (!Number.isSafeInteger(olderThanDays) || olderThanDays < minArchiveDays || olderThanDays > maxArchiveDays) {
    return invalidField('olderThanDays', `must be from ${minArchiveDays} to ${maxArchiveDays}`);
  }
  const from = readPlace(asked.after);
  if (from === undefined) return invalidField('after', 'must be that of the step before');
  const rows = fromLines(asked.stored);
  if (rows === undefined || rows.length > rowsAtOnce) {
    return invalidField('stored', `must be the rows of the step before, ${rowsAtOnce} at most`);
  }
  const before = daysAgo(clock, olderThanDays);
  try {
    const deleted = rows.length === 0 ? 0 : await store.transaction((trx) => dropRows(trx, rows, before));
    const { rows: next, next: location, isLast } = await readBatch(store, { from, before });
    return accept({ deleted, rows: toLines(next), after: writePlace(location), isLast });
  } catch (cause) {
    if (!(cause instanceof RowStays)) throw cause;
    const which = `${cause.message} is not as the ledger has it, or has to stay`;
    return invalidField('stored', `must be rows of the ledger that can be archived: ${which}`);
  }
}

/** The beginning of the UTC day that many days ago, in Unix seconds. All steps of a day therefore archive the same rows. */
export function daysAgo(clock: Clock, days: number): number {
  return windowStart('day', unixSeconds(clock)) - days * secondsPerDay;
}

/**
 * Archives some rows without storing them anywhere, starting from a place. Returns where to continue; undefined at the end.
 */
export async function archiveTurn(
  store: Store,
  { from = firstPlace, before }: { readonly from?: ArchivePlace | undefined; readonly before: number },
): Promise<ArchivePlace | undefined> {
  const { rows, next, isLast } = await readBatch(store, { from, before });
  if (rows.length > 0) await store.transaction((trx) => dropRows(trx, rows, before));
  return isLast ? undefined : next;
}

function writePlace({ table, after }: ArchivePlace): string {
  return after === undefined ? table : [table, ...after].join(' ');
}

function readPlace(text: string): ArchivePlace | undefined {
  if (text === '') return firstPlace;
  const [name, number, key, ...more] = text.split(' ');
  const table = archivedTables.find((known) => known === name);
  if (table === undefined || more.length > 0) return undefined;
  if (number === undefined) return { table };
  const after = Number(number);
  if (!Number.isSafeInteger(after) || (key !== undefined) !== (keyColumns[table].length === 2)) return undefined;
  return { table, after: key === undefined ? [after] : [after, key] };
}

/** Rows checked in one read; one transaction archives at most as many. */
const rowsAtOnce = 100;
/** Reads in one batch: rows that stay are skipped without a reply for each. */
const readingsAtOnce = 10;

/** The last row that was checked, in the order of `archivedTables` and of the keys; undefined before the first. */
export type ArchivePlace = { readonly table: ArchivedTable; readonly after?: readonly [number, string?] };

/** Rows that may be archived, where the next batch begins, and whether there is nothing after it. */
type ArchiveBatch = {
  readonly rows: readonly ArchivedRow[];
  readonly next: ArchivePlace;
  readonly isLast: boolean;
};

const firstPlace: ArchivePlace = { table: archivedTables[0] };

/** The next rows that may be archived. `before` in Unix seconds: rows written later stay. */
async function readBatch(
  store: Pick<Store, 'read'>,
  { from, before }: { readonly from: ArchivePlace; readonly before: number },
): Promise<ArchiveBatch> {
  let location = from;
  for (let reading = 0; reading < readingsAtOnce; reading += 1) {
    const { table } = location;
    const where = isAfter(location);
    const found = await store.read((snapshot) => findRows(snapshot, table, { before, where, limit: rowsAtOnce }));
    const next = placeAfter(location, found, before);
    const rows = found.flatMap(({ row, isDue }) => (isDue ? [{ table, row }] : []));
    if (next === undefined) return { rows, next: location, isLast: true };
    if (rows.length > 0) return { rows, next, isLast: false };
    location = next;
  }
  return { rows: [], next: location, isLast: false };
}

function isAfter({ table, after }: ArchivePlace): RawBuilder<SqlBool> {
  if (after === undefined) return sql`1 = 1`;
  const [first, second] = keyColumns[table].map((column) => sql.ref(`${table}.${column}`));
  const [number, text] = after;
  return second === undefined ? sql`${first} > ${number}` : sql`(${first}, ${second}) > (${number}, ${text})`;
}

/** The place after the rows of a read: in the next table where there are no older ones. Undefined after the last table. */
function placeAfter(
  { table }: ArchivePlace,
  found: readonly { readonly row: StoredRow }[],
  before: number,
): ArchivePlace | undefined {
  const last = found.at(-1)?.row;
  const isEnd = found.length < rowsAtOnce || found.every(({ row }) => Number(row.created_at) >= before);
  if (last !== undefined && !isEnd) {
    const [number, text] = keyColumns[table];
    return { table, after: text === undefined ? [Number(last[number])] : [Number(last[number]), String(last[text])] };
  }
  const next = archivedTables[archivedTables.indexOf(table) + 1];
  return next === undefined ? undefined : { table: next };
}
