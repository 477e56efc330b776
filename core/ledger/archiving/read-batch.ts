import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import type { ArchivedRow } from './archive-rows.ts';
import { type ArchivedTable, archivedTables, findRows, keyColumns, type StoredRow } from './archived-tables.ts';

/** Rows checked in one read; one transaction archives at most as many. */
export const rowsAtOnce = 100;
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

export const firstPlace: ArchivePlace = { table: archivedTables[0] };

/** The next rows that may be archived. `before` in Unix seconds: rows written later stay. */
export async function readBatch(
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
