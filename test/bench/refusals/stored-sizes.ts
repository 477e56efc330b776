import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openHandle } from '../../../core/store/sqlite/open-handle.ts';

/** The rows of every table of a database, and the bytes of all of it. */
export type StoredSizes = { readonly rows: ReadonlyMap<string, number>; readonly bytes: number };

/** Reads the sizes of a running service's database: the file somewhere below a folder, or of a server. */
export async function readSizes(of: { readonly folder: string } | { readonly url: string }): Promise<StoredSizes> {
  return 'url' in of ? readServer(of.url) : readFile(of.folder);
}

function readFile(folder: string): StoredSizes {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.db'));
  if (found === undefined) throw new Error('There is no database in the folder.');
  const database = openHandle(join(folder, found), { readonly: true });
  const read = (sql: string) => database.prepare(sql).get();
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const names = tables.pluck().all() as string[];
  const rows = new Map(names.map((name) => [name, count(read(`SELECT count(*) AS count FROM ${name}`))]));
  const bytes = count(read('SELECT page_count * page_size AS count FROM pragma_page_count, pragma_page_size'));
  database.close();
  return { rows, bytes };
}

async function readServer(url: string): Promise<StoredSizes> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const rows = new Map<string, number>();
  for (const { name } of tables) {
    const { rows: counted } = await client.query(`SELECT count(*) AS count FROM ${name}`);
    rows.set(name, count(counted[0]));
  }
  const { rows: size } = await client.query('SELECT pg_database_size(current_database()) AS count');
  await client.end();
  return { rows, bytes: count(size[0]) };
}

function count(row: unknown): number {
  return Number((row as { readonly count: unknown }).count);
}
