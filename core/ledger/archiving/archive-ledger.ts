import { maxArchiveDays, minArchiveDays } from '@tollfree/contract/limits';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { ArchiveStep } from '../../domain/ledger-report.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import type { Store } from '../../store/store.ts';
import { fromLines, toLines } from './archive-rows.ts';
import { archivedTables, keyColumns } from './archived-tables.ts';
import { dropRows, RowStays } from './drop-rows.ts';
import { type ArchivePlace, firstPlace, readBatch, rowsAtOnce } from './read-batch.ts';

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
  const now = unixSeconds(clock);
  return now - (now % secondsPerDay) - days * secondsPerDay;
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
