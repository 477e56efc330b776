import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../../../core/store/database.ts';
import type { Store } from '../../../core/store/store.ts';
import type { AskedQuery } from './collect-queries.ts';
import { tableOf } from './find-scans.ts';

/** More rows than this are many, for one step of a plan. */
const most = 1_000;

/** A search by an index or a key, and the columns it compares. */
const search = /^SEARCH (\w+)(?: EXISTS)? USING (?:COVERING )?(?:INDEX (\w+)|PRIMARY KEY) \((.*)\)/;

/**
 * The parts of a query's plan in SQLite that may read many rows of a filled database, each as `table (columns that are compared)`: those
 * where many rows have the same values in the columns by which they are searched. SQLite plans without knowing the values.
 */
export async function findWideReads({ db }: Store, query: AskedQuery): Promise<readonly string[]> {
  const explain = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${query.sql}`, [...query.parameters]);
  const { rows } = await db.executeQuery<{ detail: string }>(explain as CompiledQuery<{ detail: string }>);
  const wide: string[] = [];
  for (const { detail } of rows) {
    const [, name, index, compared = ''] = search.exec(detail) ?? [];
    const table = name === undefined ? undefined : tableOf(query.sql, name);
    if (table === undefined) continue;
    const equal = [...compared.matchAll(/(\w+)=\?/g)].map(([, column = '']) => column);
    if ((await countAlike(db, table, index, equal)) > most) wide.push(`${table} (${equal.join(', ')})`);
  }
  return wide;
}

const counted = new WeakMap<Kysely<Database>, Map<string, number>>();

/** The most rows of a table, or of a partial index, that have the same values in these columns. */
async function countAlike(
  db: Kysely<Database>,
  table: string,
  index: string | undefined,
  columns: readonly string[],
): Promise<number> {
  const known = counted.get(db) ?? new Map<string, number>();
  counted.set(db, known);
  const key = `${table} ${index} ${columns.join()}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const part = index === undefined ? 'true' : await conditionOf(db, index);
  const group = columns.length === 0 ? sql`` : sql`GROUP BY ${sql.join(columns.map((column) => sql.ref(column)))}`;
  const { rows } = await sql<{ most: number | null }>`SELECT max(alike) AS most FROM (
    SELECT count(*) AS alike FROM ${sql.table(table)} WHERE ${sql.raw(part)} ${group})`.execute(db);
  const alike = rows[0]?.most ?? 0;
  known.set(key, alike);
  return alike;
}

async function conditionOf(db: Kysely<Database>, index: string): Promise<string> {
  const { rows } = await sql<{ sql: string | null }>`SELECT sql FROM sqlite_schema WHERE name = ${index}`.execute(db);
  return /\sWHERE\s([\s\S]*)$/i.exec(rows[0]?.sql ?? '')?.[1] ?? 'true';
}
