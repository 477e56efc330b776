import { sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

export const sqliteDialect: Dialect = {
  texts: (texts) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`,
  numbers: (numbers) => sql`(SELECT value FROM json_each(${JSON.stringify(numbers)}))`,
  numberPairs: (pairs) =>
    sql`(SELECT value ->> 0 AS id, value ->> 1 AS value FROM json_each(${JSON.stringify(pairs)}))`,
  rows: (columns, rows) => {
    const listed = Object.keys(columns).map((name, index) => sql`value ->> ${sql.lit(index)} AS ${sql.ref(name)}`);
    return sql`(SELECT ${sql.join(listed)} FROM json_each(${JSON.stringify(rows)}))`;
  },
  now: sql`CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)`,
  notify: () => undefined,
  eachIn: (list, record) => sql`json_each(json_extract(${record}, ${sql.lit(`$.facts.${list}`)}))`,
};
