import type { RawBuilder } from 'kysely';

/** Columns in their order, by name. */
export type ListedColumns = Readonly<Record<string, 'text' | 'number'>>;

/** What the databases say each in their own SQL. All else is asked in what both know. */
export type Dialect = {
  /** A list for `in`, as one parameter: the statement is the same for any number of texts, or of numbers. */
  texts(texts: readonly string[]): RawBuilder<string>;
  numbers(numbers: readonly number[]): RawBuilder<number>;
  /** A table of rows with the columns `id` and `value`, in parentheses. */
  numberPairs(pairs: readonly (readonly [id: number, value: number])[]): RawBuilder<{ id: number; value: number }>;
  /** A table with these columns, in parentheses: the statement is the same for any number of rows. */
  rows(columns: ListedColumns, rows: readonly (readonly (string | number)[])[]): RawBuilder<unknown>;
  /** This moment by the clock of the database, in Unix milliseconds: one clock for all processes at it. */
  readonly now: RawBuilder<number>;
  /** A statement that tells the processes at the database something; undefined where there is one alone. */
  notify(text: string): RawBuilder<unknown> | undefined;
  /** A list of facts in the record of a decision as a table, to be joined to its own: `key` counts from 0, `value` is JSON of an object, `atom` a text. */
  eachIn(list: 'calls' | 'attribution', record: RawBuilder<unknown>): RawBuilder<unknown>;
};
