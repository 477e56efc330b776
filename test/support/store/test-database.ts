import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from '../../../core/base/values/database-address.ts';
import { Secret } from '../../../core/base/values/secret.ts';
import { openPostgresStore } from '../../../core/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../../core/store/sqlite/open-sqlite-store.ts';

/** Which database the tests of the store and of all that stands on it run on. */
export const isOnPostgres = process.env.TEST_DATABASE === 'postgres';

const prefix = 'tollfree_test_';
const made = new Map<string, Promise<DatabaseAddress>>();

/**
 * The database that belongs to a folder, yet without rows when it is asked for first: a file in the folder, or with
 * `TEST_DATABASE=postgres` a database of the server of `DATABASE_URL`, which `npm run test:postgres` removes. It begins with
 * what is in `copied`, which no one has open, where that is given.
 */
export async function testDatabase(folder: string, copied?: DatabaseAddress): Promise<DatabaseAddress> {
  if (!isOnPostgres) {
    const file = join(folder, 'tollfree.db');
    if (copied?.kind === 'sqlite') copyFileSync(copied.file, file);
    else if (!existsSync(file)) copyFileSync(await emptyFile(), file);
    return { kind: 'sqlite', file };
  }
  const known = made.get(folder) ?? makeDatabase(folder, copied);
  made.set(folder, known);
  return known;
}

async function makeDatabase(folder: string, copied?: DatabaseAddress): Promise<DatabaseAddress> {
  const name = `${prefix}${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  template ??= makeTemplate();
  const from = copied?.kind === 'postgres' ? new URL(copied.url.reveal()).pathname.slice(1) : await template;
  await ask(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  return { kind: 'postgres', url: urlOf(name) };
}

let madeFile: Promise<string> | undefined;

/** A file with the schema and no rows. One for each process: all migrations take a multiple of most tests' own time. */
function emptyFile(): Promise<string> {
  madeFile ??= makeFile();
  return madeFile;
}

async function makeFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-empty-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'tollfree.db');
  await (await openSqliteStore(file)).close();
  return file;
}

/** One for each process: no one may be connected to it while it is copied. */
let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const name = `${prefix}template_${process.pid}`;
  await ask(`DROP DATABASE IF EXISTS ${name}`);
  await ask(`CREATE DATABASE ${name} TEMPLATE template0`);
  await (await openPostgresStore(urlOf(name))).close();
  return name;
}

/** Removes the database of a folder from the server, no matter who is connected to it. */
export async function removeTestDatabase(folder: string): Promise<void> {
  const database = await made.get(folder);
  made.delete(folder);
  if (database?.kind === 'postgres') {
    await ask(`DROP DATABASE IF EXISTS ${new URL(database.url.reveal()).pathname.slice(1)} WITH (FORCE)`);
  }
}

/** An empty database of the server of `DATABASE_URL`, without a schema. */
export async function emptyPostgres(): Promise<Secret<string>> {
  emptied += 1;
  const name = `${prefix}empty_${process.pid}_${emptied}`;
  await ask(`DROP DATABASE IF EXISTS ${name}`);
  await ask(`CREATE DATABASE ${name} TEMPLATE template0`);
  return urlOf(name);
}

let emptied = 0;

function urlOf(name: string): Secret<string> {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return new Secret(url.href);
}

function serverUrl(): string {
  const { DATABASE_URL: url } = process.env;
  if (url === undefined) throw new Error('Run it by npm run test:postgres, or say which server: DATABASE_URL');
  return url;
}

async function ask(sql: string): Promise<void> {
  const client = new pg.Client(serverUrl());
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
