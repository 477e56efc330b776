import { type CompiledQuery, type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Dialect, ListedColumns, ListedRows } from '../dialect.ts';
import { dialectOf } from '../dialect-of.ts';
import { createPlaceholder, fillIn } from './placeholder.ts';

/** SQL that never changes, and the parameters of each of its runs. */
export type StatementRuns = { readonly sql: string; readonly runs: readonly (readonly unknown[])[] };

/** A statement with its input, ready for either database. */
export type Statement<Row> = {
  for(db: Kysely<Database>): StatementRuns;
  /** Carries the type of its rows; there is no such member. */
  readonly row?: Row;
};

/** The rows of a fixed statement. */
export type RowOf<Fixed> = Fixed extends (input: never) => Statement<infer Row> ? Row : never;

/** Which member of the input is a list of these; none where the input is the list itself. */
type ListKey<Input, Item> = Input extends readonly Item[] ? [] : [key: KeyOf<Input, readonly Item[]>];
type KeyOf<Input, Value> = { [Key in keyof Input]: Input[Key] extends Value ? Key : never }[keyof Input];

/** What a fixed statement is built with: its parameters, each read from the input of a run. */
export type StatementParts<Input> = {
  readonly db: Kysely<Database>;
  value<Key extends keyof Input>(key: Key): RawBuilder<Input[Key]>;
  /** A list for `in`. */
  texts(...key: ListKey<Input, string>): RawBuilder<string>;
  numbers(...key: ListKey<Input, number>): RawBuilder<number>;
  /** A table with these columns, in parentheses. */
  rows<Row>(columns: ListedColumns, read: (input: Input) => ListedRows): RawBuilder<Row>;
};

type Compiled = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** A query of Kysely's builder, or its `sql`: the latter has to be told for which database. */
type Built<Row> = { compile(db: QueryExecutorProvider): CompiledQuery<Row> };

/**
 * A statement that is built and compiled once for each database. Building one with Kysely takes 11 to 29 µs each time, so the
 * statements of a hold and of a settlement are fixed. An input that is undefined or an empty list asks for nothing: it does not run.
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

/** Without plugins: what those of one caller note or change is not to be part of the statement of all. */
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
    // The types of the parts see to it that the member has the type.
    createPlaceholder((input: Input) => (key === undefined ? input : input[key]) as T);
  return {
    db,
    value: (key) => sql`${member(key)}`,
    texts: (...[key]) => dialect.texts(member(key)),
    numbers: (...[key]) => dialect.numbers(member(key)),
    rows: (columns, read) => dialect.rows(columns, createPlaceholder(read)),
  };
}
