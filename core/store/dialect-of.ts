import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Dialect, WrittenColumn, WrittenColumns } from './dialect.ts';
import { channelName } from './postgres/leading/channel-name.ts';
import { storable } from './postgres/query-compiler.ts';
import { mapParameter } from './statements/placeholder.ts';

const sqliteDialect: Dialect = {
  texts: (texts) => sql`(SELECT value FROM json_each(${mapParameter(texts, JSON.stringify)}))`,
  numbers: (numbers) => sql`(SELECT value FROM json_each(${mapParameter(numbers, JSON.stringify)}))`,
  numberPairs: (pairs) =>
    sql`(SELECT value ->> 0 AS id, value ->> 1 AS value FROM json_each(${JSON.stringify(pairs)}))`,
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
};

function equal(columns: WrittenColumns): readonly string[] {
  return Object.keys(columns).map((name) => `${name} = ?`);
}

export function dialectOf(db: Kysely<Database>): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgresDialect : sqliteDialect;
}

const postgresDialect: Dialect = {
  texts: (texts) => sql`(SELECT unnest(${texts}::text[]))`,
  numbers: (numbers) => sql`(SELECT unnest(${numbers}::bigint[]))`,
  numberPairs: (pairs) => {
    const [ids, values] = [pairs.map(([id]) => id), pairs.map(([, value]) => value)];
    return sql`(SELECT * FROM unnest(${ids}::bigint[], ${values}::bigint[]) AS pairs (id, value))`;
  },
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
 * The server rejects JSON with NUL or half of a surrogate pair. A third party's message may contain them; calls and codes do
 * not.
 */
const unreadable = String.raw`\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})`;

function factsOf(list: string, record: RawBuilder<unknown>): RawBuilder<unknown> {
  const readable = sql`regexp_replace(${record}, ${sql.lit(unreadable)}, ${sql.lit(String.raw`\\ufffd`)}, 'g')`;
  return sql`(${readable}::json #> ${sql.lit(`{facts,${list}}`)})`;
}
