import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { history } from '../../core/store/migrations/history.ts';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { temporaryFolder } from './temporary-folder.ts';

function newFile(): string {
  return join(temporaryFolder(), 'tollfree.db');
}

async function open(file: string) {
  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  return store;
}

async function pragma(store: Awaited<ReturnType<typeof open>>, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(store.db);
  return Object.values(rows[0] ?? {})[0];
}

const account = { account_id: '00000000-0000-4000-8000-000000000001', name: 'Ada', created_at: 1 };

describe('the file', () => {
  test('a new one, its log and its index can be read by their owner only', async () => {
    const file = newFile();
    const store = await open(file);
    await store.db.insertInto('accounts').values(account).execute();
    const modes = [file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  test('survives a power cut after each commit: write-ahead log with full synchronisation', async () => {
    const store = await open(newFile());
    expect(await pragma(store, 'journal_mode')).toBe('wal');
    expect(await pragma(store, 'synchronous')).toBe(2);
  });

  test('enforces foreign keys and waits for another writer', async () => {
    const store = await open(newFile());
    expect(await pragma(store, 'foreign_keys')).toBe(1);
    expect(await pragma(store, 'busy_timeout')).toBeGreaterThan(0);
  });

  test('keeps what was written when it is opened again', async () => {
    const file = newFile();
    const first = await openSqliteStore(file);
    await first.db.insertInto('accounts').values(account).execute();
    await first.close();
    const second = await open(file);
    expect(await second.db.selectFrom('accounts').selectAll().execute()).toMatchObject([account]);
  });

  test('can be closed although it was never used', async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    expect(() => statSync(`${file}-wal`)).toThrow('ENOENT');
  });

  test('every table is strict about its types', async () => {
    const store = await open(newFile());
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'
    `.execute(store.db);
    expect(rows).toEqual([]);
  });
});

describe('refusal to start says what to do', () => {
  test('the folder does not exist', async () => {
    const opened = openSqliteStore(join(temporaryFolder(), 'missing', 'tollfree.db'));
    await expect(opened).rejects.toThrow(StoreError);
    await expect(opened).rejects.toThrow('Check that its folder exists');
  });

  test('the file is not a database', async () => {
    const file = newFile();
    writeFileSync(file, 'not a database '.repeat(100));
    await expect(openSqliteStore(file)).rejects.toThrow('It is not a SQLite database.');
  });

  test('the database is of another program, which stays as it was', async () => {
    const file = newFile();
    const other = openHandle(file);
    other.exec('CREATE TABLE bookmarks (url TEXT)');
    other.close();
    await expect(openSqliteStore(file)).rejects.toThrow('database of another program');
    const again = openHandle(file);
    onTestFinished(() => void again.close());
    expect(again.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['bookmarks']);
  });

  test('the database is newer than the program', async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    const newer = openHandle(file);
    newer.exec("INSERT INTO schema_migrations VALUES (9999, 'from-the-future', 0)");
    newer.close();
    await expect(openSqliteStore(file)).rejects.toThrow(
      'has schema version 9999, but this program knows versions up to',
    );
  });
});

describe('migrations', () => {
  const step = (version: number, sql: string) => ({ version, name: `step ${version}`, sql: () => sql });
  const first = { baseline: step(1, 'CREATE TABLE a (x INTEGER)'), steps: [] };
  const versions = 'SELECT version FROM schema_migrations ORDER BY version';

  test('are numbered without gaps from the baseline on', () => {
    const { baseline, steps } = history;
    expect(steps.map(({ version }) => version)).toEqual(steps.map((_, index) => baseline.version + 1 + index));
  });

  test('are each applied once', () => {
    const database = openHandle(':memory:');
    onTestFinished(() => void database.close());
    migrate(database, first);
    migrate(database, first);
    migrate(database, { ...first, steps: [step(2, 'CREATE TABLE b (x INTEGER)')] });
    expect(database.prepare(versions).pluck().all()).toEqual([1, 2]);
  });

  test('one that fails leaves nothing behind, and those before it stay', () => {
    const database = openHandle(':memory:');
    onTestFinished(() => void database.close());
    const broken = step(2, 'CREATE TABLE b (x INTEGER); CREATE TABLE b (x INTEGER)');
    expect(() => migrate(database, { ...first, steps: [broken] })).toThrow('already exists');
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
    expect(tables).toEqual(['a', 'schema_migrations']);
    expect(database.prepare(versions).pluck().all()).toEqual([1]);
  });

  test('begin with the baseline, and a database from before it is refused and stays as it is', () => {
    const database = openHandle(':memory:');
    onTestFinished(() => void database.close());
    migrate(database, first);
    const later = { baseline: step(5, 'CREATE TABLE c (x INTEGER)'), steps: [] };
    expect(() => migrate(database, later)).toThrow('schema version 1, from before the first release');
    expect(database.prepare(versions).pluck().all()).toEqual([1]);
  });
});
