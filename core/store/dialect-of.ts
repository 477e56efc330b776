import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Dialect, WrittenColumns } from './dialect.ts';
import { postgresDialect } from './postgres/postgres-dialect.ts';
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

/** The dialect of a database. */
export function dialectOf(db: Kysely<Database>): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgresDialect : sqliteDialect;
}
