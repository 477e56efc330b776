import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';
import { channelName } from './postgres/connection-options.ts';
import { storable } from './postgres/query-compiler.ts';
import { mapParameter, type Placeholder } from './statements/placeholder.ts';

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
  /** Whether a column has one of these texts, for a server that would not look them up in an index if they were a query. */
  isOneOf(column: string, texts: Placeholder<readonly string[]>): RawBuilder<SqlBool>;
  /**
   * A column by whose value no index is searched. SQLite keeps no statistics here and prefers equality with more columns, even where
   * all rows have the same value; a server knows better.
   */
  unindexed(column: string): RawBuilder<string>;
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
  /** The limits of a stored policy as a table with the columns `per` and `contract`, which is null in limits of all calls. */
  eachLimit(policy: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A field of a stored policy as text; null if the policy does not have it. */
  policyField(policy: RawBuilder<unknown>, field: string): RawBuilder<string | null>;
};

const sqliteDialect: Dialect = {
  texts: listOf,
  isOneOf: (column, texts) => sql`${sql.ref(column)} IN ${listOf(texts)}`,
  unindexed: (column) => sql`+${sql.ref(column)}`,
  numbers: listOf,
  rows: (columns, rows) => {
    const listed = Object.keys(columns).map((name, index) => sql`value ->> ${sql.lit(index)} AS ${sql.ref(name)}`);
    return sql`(SELECT ${sql.join(listed)} FROM json_each(${mapParameter(rows, JSON.stringify)}))`;
  },
  // Running a prepared statement per row takes a third of the time of reading the rows from JSON.
  insertSql: (table, columns) => {
    const names = Object.keys(columns);
    return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  },
  updateSql: (table, columns, keys) =>
    `UPDATE ${table} SET ${equal(columns).join(', ')} WHERE ${equal(keys).join(' AND ')}`,
  deleteSql: (table, keys) => `DELETE FROM ${table} WHERE ${equal(keys).join(' AND ')}`,
  runsOf: (columns, rows) => {
    const names = Object.keys(columns);
    return rows.map((row) => names.map((name) => row[name]));
  },
  now: sql`CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)`,
  notify: () => undefined,
  eachIn: (list, record) => sql`json_each(json_extract(${record}, ${sql.lit(`$.facts.${list}`)}))`,
  eachLimit: (policy) =>
    sql`(SELECT value ->> 'per' AS per, value ->> 'contract' AS contract FROM json_each(${policy}, '$.limits')) AS limits`,
  policyField: (policy, field) => sql`${policy} ->> ${sql.lit(field)}`,
};

function listOf<T>(values: readonly T[] | Placeholder<readonly T[]>): RawBuilder<T> {
  return sql`(SELECT value FROM json_each(${mapParameter(values, JSON.stringify)}))`;
}

function equal(columns: WrittenColumns): readonly string[] {
  return Object.keys(columns).map((name) => `${name} = ?`);
}

export function dialectOf(db: Kysely<Database>): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgresDialect : sqliteDialect;
}

const postgresDialect: Dialect = {
  texts: (texts) => sql`(SELECT unnest(${texts}::text[]))`,
  isOneOf: (column, texts) => sql`${sql.ref(column)} = ANY (${texts}::text[])`,
  unindexed: (column) => sql.ref(column),
  numbers: (numbers) => sql`(SELECT unnest(${numbers}::bigint[]))`,
  rows: (columns, rows) => {
    const lists = Object.values(columns).map((type, index) => {
      const list = mapParameter(rows, (known) => known.map((row) => row[index]));
      return type === 'text' ? sql`${list}::text[]` : sql`${list}::bigint[]`;
    });
    const names = Object.keys(columns).map((name) => sql.ref(name));
    return sql`(SELECT * FROM unnest(${sql.join(lists)}) AS listed (${sql.join(names)}))`;
  },
  insertSql: (table, columns) =>
    `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT * FROM ${unnestSql(columns)}`,
  updateSql: (table, columns, keys) => {
    const set = Object.keys(columns).map((name) => `${name} = listed.${name}`);
    return `UPDATE ${table} SET ${set.join(', ')} FROM ${listedSql({ ...columns, ...keys })} WHERE ${same(table, keys)}`;
  },
  deleteSql: (table, keys) => `DELETE FROM ${table} USING ${listedSql(keys)} WHERE ${same(table, keys)}`,
  runsOf: (columns, rows) =>
    rows.length === 0 ? [] : [Object.keys(columns).map((name) => rows.map((row) => storable(row[name])))],
  now: sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
  notify: (text) => sql`SELECT pg_notify(${sql.raw(channelName)}, ${text})`,
  eachIn: (list, record) => {
    const listed = factsOf(list, record);
    return sql`LATERAL (
      SELECT position - 1 AS key, value, value #>> '{}' AS atom
      FROM json_array_elements(CASE json_typeof(${listed}) WHEN 'array' THEN ${listed} END)
        WITH ORDINALITY AS element (value, position)
    )`;
  },
  eachLimit: (policy) =>
    sql`(SELECT value ->> 'per' AS per, value ->> 'contract' AS contract
      FROM json_array_elements(${readable(policy)}::json -> 'limits')) AS limits`,
  policyField: (policy, field) => sql`(${readable(policy)}::json ->> ${sql.lit(field)})`,
};

const listTypes = { text: 'text[]', number: 'bigint[]', bytes: 'bytea[]' } as const satisfies Record<
  WrittenColumn,
  string
>;

/** A list per column, as one parameter each. */
function unnestSql(columns: WrittenColumns): string {
  const lists = Object.values(columns).map((column = 'text', index) => `$${index + 1}::${listTypes[column]}`);
  return `unnest(${lists.join(', ')})`;
}

function listedSql(columns: WrittenColumns): string {
  return `${unnestSql(columns)} AS listed (${Object.keys(columns).join(', ')})`;
}

function same(table: string, keys: WrittenColumns): string {
  return Object.keys(keys)
    .map((name) => `${table}.${name} = listed.${name}`)
    .join(' AND ');
}

/**
 * The server rejects JSON with NUL or half of a surrogate pair. A third party's message and a policy's texts may contain them; calls,
 * codes and limits do not.
 */
const unreadable = String.raw`\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})`;

function factsOf(list: string, record: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${readable(record)}::json #> ${sql.lit(`{facts,${list}}`)})`;
}

function readable(json: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`regexp_replace(${json}, ${sql.lit(unreadable)}, ${sql.lit(String.raw`\\ufffd`)}, 'g')`;
}
