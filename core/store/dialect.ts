import type { RawBuilder } from 'kysely';
import type { Placeholder } from './statements/placeholder.ts';

/** Ordered columns, by name. */
export type ListedColumns = Readonly<Record<string, 'text' | 'number'>>;

/** Values in the order of the columns. */
export type ListedRows = readonly (readonly (string | number)[])[];

/** The type of a written column's values. Each can be null. */
export type WrittenColumn = 'text' | 'number' | 'bytes';
export type WrittenColumns = Readonly<Partial<Record<string, WrittenColumn>>>;

/** SQL that differs between the databases. All other SQL works in both. */
export type Dialect = {
  /** A list for `in`, as one parameter: the statement does not depend on the number of texts or numbers. */
  texts(texts: readonly string[] | Placeholder<readonly string[]>): RawBuilder<string>;
  numbers(numbers: readonly number[] | Placeholder<readonly number[]>): RawBuilder<number>;
  /** A table of rows with the columns `id` and `value`, in parentheses. */
  numberPairs(pairs: readonly (readonly [id: number, value: number])[]): RawBuilder<{ id: number; value: number }>;
  /** A table with these columns, in parentheses: the statement does not depend on the number of rows. */
  rows<Row>(columns: ListedColumns, rows: ListedRows | Placeholder<ListedRows>): RawBuilder<Row>;
  /** SQL that writes any number of rows: it inserts them, or changes or deletes those with the same keys. */
  insertSql(table: string, columns: WrittenColumns): string;
  updateSql(table: string, columns: WrittenColumns, keys: WrittenColumns): string;
  deleteSql(table: string, keys: WrittenColumns): string;
  /** The parameters of each run of such SQL: `columns`, then `keys`. */
  runsOf(columns: WrittenColumns, rows: readonly Readonly<Record<string, unknown>>[]): readonly (readonly unknown[])[];
  /** The current time by the database's clock, in Unix milliseconds: one clock for all processes. */
  readonly now: RawBuilder<number>;
  /** A statement that notifies the processes at the database; undefined if there is only one. */
  notify(text: string): RawBuilder<unknown> | undefined;
  /**
   * A list in a decision's record as a table, to be joined to it: `key` counts from 0, `value` is JSON of an object, `atom`
   * a text.
   */
  eachIn(list: 'calls' | 'attribution', record: RawBuilder<unknown>): RawBuilder<unknown>;
};
