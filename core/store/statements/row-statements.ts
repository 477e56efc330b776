import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../database.ts';
import { type Dialect, dialectOf, type WrittenColumn, type WrittenColumns } from '../dialect-of.ts';
import type { Statement } from './fixed-statement.ts';

type Table = keyof Database & string;
type ColumnsOf<Of extends Table> = Readonly<Partial<Record<keyof Insertable<Database[Of]> & string, WrittenColumn>>>;
type RowOf<Of extends Table, Columns> = {
  readonly [Name in keyof Columns & keyof Insertable<Database[Of]>]-?: Exclude<
    Insertable<Database[Of]>[Name],
    undefined
  >;
};

type ForRows<Of extends Table, Columns, Returned> = (rows: readonly RowOf<Of, Columns>[]) => Statement<Returned>;

/**
 * Inserts any number of rows with one statement text. `onConflict` is SQL after `ON CONFLICT`; then no two rows may have the
 * same key. `returning` lists columns of the written rows, in no particular order.
 */
export function insertRows<
  Of extends Table,
  const Columns extends ColumnsOf<Of>,
  const Returned extends keyof Selectable<Database[Of]> & string = never,
>(
  table: Of,
  columns: Columns,
  { onConflict, returning }: { readonly onConflict?: string; readonly returning?: readonly Returned[] } = {},
): ForRows<Of, Columns, Pick<Selectable<Database[Of]>, Returned>> {
  const conflict = onConflict === undefined ? '' : ` ON CONFLICT ${onConflict}`;
  const tail = conflict + (returning === undefined ? '' : ` RETURNING ${returning.join(', ')}`);
  return forRows(columns, (dialect) => dialect.insertSql(table, columns) + tail);
}

/** Changes any number of rows with one statement text: those with a row's `keys` get its other columns. */
export function updateRows<Of extends Table, const Columns extends ColumnsOf<Of>, const Keys extends ColumnsOf<Of>>(
  table: Of,
  columns: Columns,
  keys: Keys,
): ForRows<Of, Columns & Keys, never> {
  return forRows({ ...columns, ...keys }, (dialect) => dialect.updateSql(table, columns, keys));
}

/** Deletes any number of rows with one statement text: those with the same keys. */
export function deleteRows<Of extends Table, const Keys extends ColumnsOf<Of>>(
  table: Of,
  keys: Keys,
): ForRows<Of, Keys, never> {
  return forRows(keys, (dialect) => dialect.deleteSql(table, keys));
}

function forRows<Of extends Table, Columns, Returned>(
  columns: WrittenColumns,
  textFor: (dialect: Dialect) => string,
): ForRows<Of, Columns, Returned> {
  const texts = new Map<Dialect, string>();
  return (rows) => ({
    for: (db) => {
      const dialect = dialectOf(db);
      const text = texts.get(dialect) ?? textFor(dialect);
      texts.set(dialect, text);
      return { sql: text, runs: dialect.runsOf(columns, rows) };
    },
  });
}
