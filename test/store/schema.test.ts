import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../core/store/postgres/open-postgres-store.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { emptyPostgres, isOnPostgres } from '../support/store/test-database.ts';
import { temporaryFolder } from './temporary-folder.ts';

test.skipIf(!isOnPostgres)('both databases have the same tables, columns, keys, indexes and guards', async () => {
  const file = join(temporaryFolder(), 'tollfree.db');
  await (await openSqliteStore(file)).close();
  const url = await emptyPostgres();
  await (await openPostgresStore(url)).close();
  const [inFile, onServer] = [sqliteSchema(file), await postgresSchema(url.reveal())];
  expect(onServer.columns).toEqual(inFile.columns);
  expect(onServer.unique).toEqual(inFile.unique);
  expect(onServer.references).toEqual(inFile.references);
  expect(onServer.checks).toEqual(inFile.checks);
  expect(onServer.triggers).toEqual(inFile.triggers);
  expect(onServer.indexes).toEqual(inFile.indexes);
});

/** Each as lines that can be compared: order says nothing. */
type Schema = Record<'columns' | 'unique' | 'references' | 'checks' | 'triggers' | 'indexes', readonly string[]>;

const types: Readonly<Record<string, string>> = { INTEGER: 'bigint', TEXT: 'text', BLOB: 'bytea' };

function sqliteSchema(file: string): Schema {
  const database = openHandle(file, { readonly: true });
  const all = (sql: string) => database.prepare(sql).all() as Record<string, string | number | null>[];
  const tables = "(SELECT name AS tbl, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%')";
  const columns = all(`SELECT tbl, c.name, c.type, c."notnull" OR c.pk > 0 AS needed, c.dflt_value AS given
    FROM ${tables}, pragma_table_info(tbl) AS c`);
  const keys = all(`SELECT tbl, 'pk' AS name, group_concat(n, ', ') AS cols FROM
    (SELECT tbl, c.name AS n FROM ${tables}, pragma_table_info(tbl) AS c WHERE c.pk > 0 ORDER BY tbl, c.pk) GROUP BY tbl`);
  const unique = all(`SELECT tbl, name, group_concat(n, ', ') AS cols FROM
    (SELECT tbl, i.name, x.name AS n FROM ${tables}, pragma_index_list(tbl) AS i, pragma_index_info(i.name) AS x
      WHERE i.origin = 'u' ORDER BY i.name, x.seqno) GROUP BY tbl, name`);
  const references = all(`SELECT tbl, f."table" AS other, f."from" AS mine, f."to" AS theirs, f.on_delete AS deleted
    FROM ${tables}, pragma_foreign_key_list(tbl) AS f`);
  const made = all('SELECT type, name, tbl_name AS tbl, sql FROM sqlite_schema WHERE sql IS NOT NULL');
  const schema = {
    columns: columns.map(({ tbl, name, type, needed, given }) =>
      [tbl, name, types[String(type)], needed === 1 ? 'needed' : 'may lack', given ?? ''].join(' ').trim(),
    ),
    unique: [...keys, ...unique].map(({ tbl, cols }) => `${tbl}: ${cols}`),
    references: references.map((one) => `${one.tbl}.${one.mine} ${one.other}.${one.theirs} ${one.deleted}`),
    checks: made.flatMap(({ type, tbl, sql }) => (type === 'table' ? countChecks(String(tbl), String(sql)) : [])),
    triggers: made.filter(({ type }) => type === 'trigger').map(({ tbl, name }) => `${tbl}: ${name}`),
    indexes: made.filter(({ type }) => type === 'index').map(({ sql }) => normal(String(sql))),
  };
  database.close();
  return sorted(schema);
}

async function postgresSchema(url: string): Promise<Schema> {
  const client = new pg.Client(url);
  await client.connect();
  const all = async (sql: string) => (await client.query<Record<string, string>>(sql)).rows;
  const columns = await all(`SELECT table_name AS tbl, column_name AS name, data_type AS type, is_nullable AS lack,
    column_default AS given, collation_name AS collation FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> 'database_owner'
      AND table_name NOT IN (SELECT table_name FROM information_schema.views WHERE table_schema = 'public')`);
  expect(columns.filter(({ type, collation }) => type === 'text' && collation !== 'C')).toEqual([]);
  const constraints = await all(`SELECT conrelid::regclass::text AS tbl, contype AS type, confdeltype AS deleted,
    confrelid::regclass::text AS other, pg_get_constraintdef(oid) AS def FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'database_owner'`);
  const ofType = (...wanted: readonly string[]) => constraints.filter(({ type = '' }) => wanted.includes(type));
  const triggers = await all(
    'SELECT tgrelid::regclass::text AS tbl, tgname AS name FROM pg_trigger WHERE NOT tgisinternal',
  );
  const indexes = await all(`SELECT pg_get_indexdef(indexrelid) AS def FROM pg_index
    WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)`);
  await client.end();
  const inParentheses = (def = '') => /\((.*?)\)/.exec(def)?.[1] ?? '';
  const schema = {
    columns: columns.map(({ tbl, name, type, lack, given }) =>
      [tbl, name, type, lack === 'NO' ? 'needed' : 'may lack', given?.replace('::text', '') ?? ''].join(' ').trim(),
    ),
    unique: ofType('p', 'u').map(({ tbl, def }) => `${tbl}: ${inParentheses(def)}`),
    references: ofType('f').map(({ tbl, other, def = '', deleted }) => {
      const [, mine, theirs] = /\((.*?)\) REFERENCES .*?\((.*?)\)/.exec(def) ?? [];
      return `${tbl}.${mine} ${other}.${theirs} ${deleted === 'c' ? 'CASCADE' : 'NO ACTION'}`;
    }),
    checks: countEach(ofType('c').map(({ tbl = '' }) => tbl)),
    // It has a third way to lose rows.
    triggers: triggers.filter(({ name }) => !name?.endsWith('_emptied')).map(({ tbl, name }) => `${tbl}: ${name}`),
    indexes: indexes.map(({ def = '' }) => normal(def)),
  };
  return sorted(schema);
}

function countEach(tables: readonly string[]): readonly string[] {
  return [...new Set(tables)].map((table) => `${table}: ${tables.filter((one) => one === table).length}`);
}

function countChecks(table: string, sql: string): readonly string[] {
  const count = sql.match(/\bCHECK \(/g)?.length ?? 0;
  return count === 0 ? [] : [`${table}: ${count}`];
}

/** The text of an index as either database has it. */
function normal(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .replace(' USING btree', '')
    .replace(/ON public\./, 'ON ')
    .replace(/::(text|bigint)/g, '')
    .replace(/COALESCE/g, 'coalesce')
    .replace(/, \('?0'?\)/g, ', 0')
    .replace(/\( /g, '(')
    .replace(/ \)/g, ')')
    .replace(/ WHERE (.*)/, (_, condition: string) => ` WHERE ${condition.replace(/[()]/g, '')}`)
    .replace(/= ANY ARRAY\[(.*?)\]/, 'IN $1');
}

function sorted(schema: Schema): Schema {
  const parts = Object.entries(schema).map(([name, lines]) => [name, [...lines].sort()]);
  return Object.fromEntries(parts) as Schema;
}
