import { CompiledQuery, type Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../core/store/database.ts';
import type { Store } from '../../../core/store/store.ts';
import type { AskedQuery } from './collect-queries.ts';
import { isOnPostgres } from './test-database.ts';

/**
 * The parts of a plan that look at every row of a table or of an index, each as `table` or `table by index`; in SQLite those too
 * that look at all rows from one on, as `table by key`, and at all of a contract or a paymaster, as `table of a contract by index`.
 */
export async function findScans(store: Store, query: AskedQuery): Promise<readonly string[]> {
  return isOnPostgres ? findPostgresScans(store.db, query) : findSqliteScans(store.db, query);
}

/** All rows of one paymaster, of tables that have very many of one. */
const allOfPaymaster =
  /^SEARCH (usage_sums|holds) USING (?:COVERING )?(?:INDEX (\w+)|PRIMARY KEY) \(paymaster_id=\?\)$/;

async function findSqliteScans(db: Kysely<Database>, { sql, parameters }: AskedQuery): Promise<readonly string[]> {
  const query = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]);
  const { rows } = await db.executeQuery<{ detail: string }>(query as CompiledQuery<{ detail: string }>);
  return rows.flatMap(({ detail }) => {
    const [, onwards] = /^SEARCH (\w+) USING INTEGER PRIMARY KEY \(rowid[<>]\?\)/.exec(detail) ?? [];
    if (onwards !== undefined) return [`${tableOf(sql, onwards) ?? onwards} by key`];
    const [, ofContract, by] =
      /^SEARCH (\w+) USING (?:COVERING )?INDEX (\w+) \(chain_id=\? AND contract=\?\)/.exec(detail) ?? [];
    if (ofContract !== undefined) return [`${tableOf(sql, ofContract) ?? ofContract} of a contract by ${by}`];
    const [, ofPaymaster, through = 'key'] = allOfPaymaster.exec(detail) ?? [];
    if (ofPaymaster !== undefined) return [`${ofPaymaster} of a paymaster by ${through}`];
    const scan = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail);
    if (scan === null) return [];
    const [, name = '', index] = scan;
    const table = tableOf(sql, name);
    return table === undefined ? [] : [index === undefined ? table : `${table} by ${index}`];
  });
}

/** The table behind a name in a plan; undefined for what is no table, as a list of parameters or a part of the query. */
export function tableOf(sql: string, name: string): string | undefined {
  if (new RegExp(`\\b${name} AS (?:MATERIALIZED )?\\(`).test(sql)) return undefined;
  const alias = new RegExp(`(?:from|join)\\s+"?(\\w+)"?\\s+as\\s+"?${name}"?(?!\\w)`, 'i').exec(sql)?.[1];
  if (alias !== undefined) return alias;
  return new RegExp(`(?:from|join|into|update)\\s+"?${name}"?(?!\\w|\\()`, 'i').test(sql) ? name : undefined;
}

type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  readonly 'Index Cond'?: string | undefined;
  readonly Filter?: string | undefined;
  readonly Plans?: readonly Plan[] | undefined;
};
const PlanSchema: z.ZodType<Plan> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  Filter: z.string().optional(),
  get Plans() {
    return z.array(PlanSchema).optional();
  },
});
const AnswerSchema = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: PlanSchema })) }));

/** A server reads few rows from end to end whatever the indexes: it is asked what it would do where it could not. */
async function findPostgresScans(db: Kysely<Database>, { sql, parameters }: AskedQuery): Promise<readonly string[]> {
  return db.connection().execute(async (one) => {
    for (const setting of ['seqscan', 'hashjoin', 'mergejoin']) {
      await one.executeQuery(CompiledQuery.raw(`SET enable_${setting} = off`));
    }
    const { rows } = await one.executeQuery(CompiledQuery.raw(`EXPLAIN (FORMAT JSON) ${sql}`, [...parameters]));
    await one.executeQuery(CompiledQuery.raw('RESET ALL'));
    return AnswerSchema.parse(rows).flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scansOf(Plan)));
  });
}

function scansOf(plan: Plan, above?: Plan): readonly string[] {
  const below = (plan.Plans ?? []).flatMap((part) => scansOf(part, plan));
  const { 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = plan;
  if (table === undefined || condition !== undefined || !endsWith(plan, 'Scan')) return below;
  // Its rows are those of the index scan below it.
  if (endsWith(plan, 'Bitmap Heap Scan')) return below;
  // The first rows of an index, whichever they are.
  if (index !== undefined && plan.Filter === undefined && above?.['Node Type'] === 'Limit') return below;
  return [index === undefined ? table : `${table} by ${index}`, ...below];
}

function endsWith(plan: Plan, kind: string): boolean {
  return plan['Node Type'].replace(' Backward', '').endsWith(kind);
}
