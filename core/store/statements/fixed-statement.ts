import {
  type CompiledQuery,
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Database } from '../database.ts';
import { type Dialect, dialectOf, type ListedColumns, type ListedRows } from '../dialect-of.ts';
import { createPlaceholder, fillIn } from './placeholder.ts';

/** SQL that never changes, and the parameters of each of its runs. */
export type StatementRuns = { readonly sql: string; readonly runs: readonly (readonly unknown[])[] };

/** A statement with its input, ready for either database. */
export type Statement<Row> = {
  for(db: Kysely<Database>): StatementRuns;
  /** Carries the row type; it does not exist at runtime. */
  readonly row?: Row;
};

export type RowOf<Fixed> = Fixed extends (input: never) => Statement<infer Row> ? Row : never;

/** The name of a list of these in the input; empty if the input is the list itself. */
type ListKey<Input, Item> = Input extends readonly Item[] ? [] : [key: KeyOf<Input, readonly Item[]>];
type KeyOf<Input, Value> = { [Key in keyof Input]: Input[Key] extends Value ? Key : never }[keyof Input];

/** Helpers for building a fixed statement: parameters that each run reads from its input. */
type StatementParts<Input> = {
  readonly db: Kysely<Database>;
  value<Key extends keyof Input>(key: Key): RawBuilder<Input[Key]>;
  /** A list for `in`. */
  texts(...key: ListKey<Input, string>): RawBuilder<string>;
  numbers(...key: ListKey<Input, number>): RawBuilder<number>;
  /** Whether a column has one of the texts of a list. */
  isOneOf(column: string, key: KeyOf<Input, readonly string[]>): RawBuilder<SqlBool>;
  /** A table with these columns, in parentheses. */
  rows<Row>(columns: ListedColumns, read: (input: Input) => ListedRows): RawBuilder<Row>;
};

type Compiled = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** A query of Kysely's builder, or its `sql`, which needs to know the database. */
type Built<Row> = { compile(db: QueryExecutorProvider): CompiledQuery<Row> };

/**
 * A statement that is built and compiled once per database. Building with Kysely takes 11 to 29 µs each time, so the
 * statements of a hold and of a settlement are fixed. With an undefined input or an empty list it does not run.
 */
export function fixedStatement<Input>(): <Row>(
  build: (parts: StatementParts<Input>) => Built<Row>,
) => (input: Input | undefined) => Statement<Row> {
  return (build) => {
    const compiled = new Map<Dialect, Compiled>();
    return (input) => ({
      for: (db) => {
        const dialect = dialectOf(db);
        const known = compiled.get(dialect) ?? compile(build, db, dialect);
        compiled.set(dialect, known);
        const { sql, parameters } = known;
        const runs = isNothing(input) ? [] : [parameters.map((parameter) => fillIn(parameter, input))];
        return { sql, runs };
      },
    });
  };
}

/** Without plugins, so that one caller's plugins do not become part of the shared statement. */
function compile<Input>(
  build: (parts: StatementParts<Input>) => Built<unknown>,
  db: Kysely<Database>,
  dialect: Dialect,
): Compiled {
  const plain = db.withoutPlugins();
  return build(partsFor(plain, dialect)).compile(plain);
}

function isNothing(input: unknown): boolean {
  return input === undefined || (Array.isArray(input) && input.length === 0);
}

function partsFor<Input>(db: Kysely<Database>, dialect: Dialect): StatementParts<Input> {
  const member = <T>(key?: keyof Input) =>
    // The types of the parts ensure the member's type.
    createPlaceholder((input: Input) => (key === undefined ? input : input[key]) as T);
  return {
    db,
    value: (key) => sql`${member(key)}`,
    texts: (...[key]) => dialect.texts(member(key)),
    numbers: (...[key]) => dialect.numbers(member(key)),
    isOneOf: (column, key) => dialect.isOneOf(column, member(key)),
    rows: (columns, read) => dialect.rows(columns, createPlaceholder(read)),
  };
}
