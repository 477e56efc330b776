import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { channelName } from './leading/channel-name.ts';

export const postgresDialect: Dialect = {
  texts: (texts) => sql`(SELECT unnest(${texts}::text[]))`,
  numbers: (numbers) => sql`(SELECT unnest(${numbers}::bigint[]))`,
  numberPairs: (pairs) => {
    const [ids, values] = [pairs.map(([id]) => id), pairs.map(([, value]) => value)];
    return sql`(SELECT * FROM unnest(${ids}::bigint[], ${values}::bigint[]) AS pairs (id, value))`;
  },
  rows: (columns, rows) => {
    const lists = Object.values(columns).map((type, index) => {
      const list = rows.map((row) => row[index]);
      return type === 'text' ? sql`${list}::text[]` : sql`${list}::bigint[]`;
    });
    const names = Object.keys(columns).map((name) => sql.ref(name));
    return sql`(SELECT * FROM unnest(${sql.join(lists)}) AS listed (${sql.join(names)}))`;
  },
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

/**
 * The server reads no JSON with a NUL or half of a surrogate pair, which a message that someone else wrote can hold;
 * no call or code does.
 */
const unreadable = String.raw`\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})`;

function factsOf(list: string, record: RawBuilder<unknown>): RawBuilder<unknown> {
  const readable = sql`regexp_replace(${record}, ${sql.lit(unreadable)}, ${sql.lit(String.raw`\\ufffd`)}, 'g')`;
  return sql`(${readable}::json #> ${sql.lit(`{facts,${list}}`)})`;
}
