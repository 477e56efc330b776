import type { RawBuilder } from 'kysely';
import type { Placeholder } from './statements/placeholder.ts';

/** Columns in their order, by name. */
export type ListedColumns = Readonly<Record<string, 'text' | 'number'>>;

/** Values in the order of the columns. */
export type ListedRows = readonly (readonly (string | number)[])[];

/** What the values of a column are that is written. Each can be null. */
export type WrittenColumn = 'text' | 'number' | 'bytes';
export type WrittenColumns = Readonly<Partial<Record<string, WrittenColumn>>>;

/** What the databases say each in their own SQL. All else is asked in what both know. */
export type Dialect = {
  /** A list for `in`, as one parameter: the statement is the same for any number of texts, or of numbers. */
  texts(texts: readonly string[] | Placeholder<readonly string[]>): RawBuilder<string>;
  numbers(numbers: readonly number[] | Placeholder<readonly number[]>): RawBuilder<number>;
  /** A table of rows with the columns `id` and `value`, in parentheses. */
  numberPairs(pairs: readonly (readonly [id: number, value: number])[]): RawBuilder<{ id: number; value: number }>;
  /** A table with these columns, in parentheses: the statement is the same for any number of rows. */
  rows<Row>(columns: ListedColumns, rows: ListedRows | Placeholder<ListedRows>): RawBuilder<Row>;
  /** SQL that writes any number of rows: it inserts them, or changes or deletes those with the same keys. */
  insertSql(table: string, columns: WrittenColumns): string;
  updateSql(table: string, columns: WrittenColumns, keys: WrittenColumns): string;
  deleteSql(table: string, keys: WrittenColumns): string;
  /** The parameters of each run of such SQL: `columns`, then `keys`. */
  runsOf(columns: WrittenColumns, rows: readonly Readonly<Record<string, unknown>>[]): readonly (readonly unknown[])[];
  /** This moment by the clock of the database, in Unix milliseconds: one clock for all processes at it. */
  readonly now: RawBuilder<number>;
  /** A statement that tells the processes at the database something; undefined where there is one alone. */
  notify(text: string): RawBuilder<unknown> | undefined;
  /** A list of facts in the record of a decision as a table, to be joined to its own: `key` counts from 0, `value` is JSON of an object, `atom` a text. */
  eachIn(list: 'calls' | 'attribution', record: RawBuilder<unknown>): RawBuilder<unknown>;
};
