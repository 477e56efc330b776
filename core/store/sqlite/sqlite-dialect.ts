import { sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

export const sqliteDialect: Dialect = {
  texts: (texts) => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`,
  numbers: (numbers) => sql`(SELECT value FROM json_each(${JSON.stringify(numbers)}))`,
  numberPairs: (pairs) =>
    sql`(SELECT value ->> 0 AS id, value ->> 1 AS value FROM json_each(${JSON.stringify(pairs)}))`,
  now: sql`CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)`,
  notify: () => undefined,
  dayOf: (seconds) => sql`date(${seconds}, 'unixepoch')`,
  // As the index `decisions_by_time` has it, word for word: so no record is read.
  callsIn: (record) => sql`json_extract(${record}, '$.facts.calls')`,
  eachCallIn: (record) => sql`json_each(json_extract(${record}, '$.facts.calls'))`,
};
