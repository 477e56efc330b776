import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../core/store/postgres/open-postgres-store.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { firstOnPostgres, released020 } from '../support/store/old-schemas.ts';
import { emptyPostgres, isOnPostgres } from '../support/store/test-database.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a file of release 0.2.0 has the schema of a new one after the upgrade', async () => {
  const old = openHandle(join(temporaryFolder(), 'old.db'));
  old.exec(released020);
  old.close();
  await (await openSqliteStore(old.name)).close();
  const fresh = join(temporaryFolder(), 'new.db');
  await (await openSqliteStore(fresh)).close();
  expect(wholeSqliteSchema(old.name)).toEqual(wholeSqliteSchema(fresh));
});

test.skipIf(!isOnPostgres)(
  'a database of the first schema on PostgreSQL has that of a new one after the upgrade',
  async () => {
    const old = await emptyPostgres();
    const client = new pg.Client(old.reveal());
    await client.connect();
    await client.query(firstOnPostgres);
    await client.end();
    const fresh = await emptyPostgres();
    for (const url of [old, fresh]) await (await openPostgresStore(url)).close();
    expect(await wholePostgresSchema(old.reveal())).toEqual(await wholePostgresSchema(fresh.reveal()));
  },
);

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

/** All that SQLite knows of a schema: columns in their order, checks, keys, indexes and triggers with their text. */
function wholeSqliteSchema(file: string): object {
  const database = openHandle(file, { readonly: true });
  const all = (sql: string) => database.prepare(sql).raw().all() as unknown[][];
  const tables = "(SELECT name AS tbl, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%')";
  const schema = {
    tables: all('SELECT name, type, ncol, wr, strict FROM pragma_table_list ORDER BY name'),
    columns: all(`SELECT tbl, c.* FROM ${tables}, pragma_table_xinfo(tbl) AS c ORDER BY tbl, c.cid`),
    references: all(`SELECT tbl, f."table", f."from", f."to", f.on_update, f.on_delete, f.match
      FROM ${tables}, pragma_foreign_key_list(tbl) AS f ORDER BY 1, 2, 3`),
    unique:
      all(`SELECT tbl, i.origin, i."unique", i.partial, group_concat(x.name) FROM ${tables}, pragma_index_list(tbl) AS i,
      pragma_index_xinfo(i.name) AS x GROUP BY tbl, i.name ORDER BY 1, 2, 5`),
    checks: all(`SELECT tbl, sql FROM ${tables} ORDER BY tbl`).map(([table, sql]) => [table, checksIn(String(sql))]),
    texts: all("SELECT type, name, sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY name").map(
      ([type, name, sql]) => [type, name, squeezed(String(sql))],
    ),
    counted: all("SELECT sql LIKE '%AUTOINCREMENT%', name FROM sqlite_schema WHERE type = 'table' ORDER BY name"),
  };
  database.close();
  return schema;
}

async function wholePostgresSchema(url: string): Promise<object> {
  const client = new pg.Client(url);
  await client.connect();
  const all = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows;
  const schema = {
    columns: await all(`SELECT c.relname, a.attname, rank() OVER (PARTITION BY c.oid ORDER BY a.attnum)::int,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attcollation::regcollation::text, pg_get_expr(d.adbin, d.adrelid)
      FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, 3`),
    constraints:
      await all(`SELECT conrelid::regclass::text, contype, pg_get_constraintdef(oid), convalidated FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2, 3`),
    indexes: await all("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"),
    triggers: await all('SELECT pg_get_triggerdef(oid), tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1'),
    functions: (
      await all(`SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`)
    ).map(([name, text]) => [name, squeezed(String(text))]),
  };
  await client.end();
  return schema;
}

/** The conditions of a table's checks, whatever their order. */
function checksIn(sql: string): readonly string[] {
  const found: string[] = [];
  for (const { index } of sql.matchAll(/CHECK \(/g)) {
    let depth = 0;
    let end = index;
    do {
      if (sql[end] === '(') depth += 1;
      if (sql[end] === ')') depth -= 1;
      end += 1;
    } while (depth > 0 || end < index + 'CHECK ('.length);
    found.push(squeezed(sql.slice(index, end)));
  }
  return found.sort();
}

function squeezed(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim();
}

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
    WHERE table_schema = 'public' AND table_name <> 'database_owner'`);
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
