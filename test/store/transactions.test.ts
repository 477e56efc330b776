import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { watchTransactions } from '../../core/store/inside-transaction.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../core/store/store.ts';
import { temporaryFolder } from './temporary-folder.ts';

async function open(): Promise<{ store: Store; file: string }> {
  const file = join(temporaryFolder(), 'tollfree.db');
  const store = await openSqliteStore(file);
  onTestFinished(() => store.close());
  return { store, file };
}

function account(number: number) {
  return { account_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`, name: 'Ada', created_at: number };
}

async function countAccounts(store: Store): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM accounts`.execute(store.db);
  return rows[0]?.n ?? -1;
}

describe('a transaction', () => {
  test('is undone as a whole when its work rejects, which the caller is told as it was', async () => {
    const { store } = await open();
    const work = store.transaction(async (trx) => {
      await trx.insertInto('accounts').values(account(1)).execute();
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await countAccounts(store)).toBe(0);
  });

  test('sees the one before it: 200 at once that read and then write lose nothing', async () => {
    const { store } = await open();
    await store.db.insertInto('accounts').values(account(0)).execute();
    const increment = () =>
      store.transaction(async (trx) => {
        const row = await trx.selectFrom('accounts').select('created_at').executeTakeFirstOrThrow();
        await trx
          .updateTable('accounts')
          .set({ created_at: row.created_at + 1 })
          .execute();
        return row.created_at;
      });
    const seen = await Promise.all(Array.from({ length: 200 }, increment));
    expect(seen, 'in the order of the calls').toEqual(Array.from({ length: 200 }, (_, index) => index));
    expect((await store.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()).created_at).toBe(200);
  });

  test('is not seen from outside before it is committed', async () => {
    const { store } = await open();
    const working = store.transaction(async (trx) => {
      await trx.insertInto('accounts').values(account(1)).execute();
      throw new Error('undo');
    });
    const counted = countAccounts(store);
    await expect(working).rejects.toThrow('undo');
    expect(await counted).toBe(0);
  });

  test('takes the write lock with its first statement', async () => {
    const { store, file } = await open();
    const other = openHandle(file, { timeout: 0 });
    onTestFinished(() => void other.close());
    await store.transaction(async () => {
      expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('database is locked');
    });
    expect(() => other.exec('BEGIN IMMEDIATE; ROLLBACK')).not.toThrow();
  });

  test('refuses the handle from outside, which would wait for ever', async () => {
    onTestFinished(watchTransactions());
    const { store } = await open();
    const nested = store.transaction(() => countAccounts(store));
    await expect(nested).rejects.toThrow('store.db was used inside a transaction');
    const doubly = store.transaction(() => store.transaction(async () => 1));
    await expect(doubly).rejects.toThrow('store.db was used inside a transaction');
    expect(await countAccounts(store), 'and the store goes on').toBe(0);
  });

  test('is finished before the file is closed', async () => {
    const file = join(temporaryFolder(), 'tollfree.db');
    const store = await openSqliteStore(file);
    const working = store.transaction((trx) => trx.insertInto('accounts').values(account(1)).execute());
    await Promise.all([working, store.close()]);
    const reopened = await openSqliteStore(file);
    onTestFinished(() => reopened.close());
    expect(await countAccounts(reopened)).toBe(1);
  });
});

describe('trouble with the database is a rejected promise, and over when the trouble is', () => {
  test('another process is writing', async () => {
    const { store, file } = await open();
    const other = openHandle(file);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    const insert = () => store.db.insertInto('accounts').values(account(1)).execute();
    await expect(insert()).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    await expect(store.transaction(async () => 1)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    other.exec('ROLLBACK');
    await insert();
    expect(await countAccounts(store)).toBe(1);
  });

  test('the disk is full', async () => {
    const { store } = await open();
    const pages = await sql<{ page_count: number }>`PRAGMA page_count`.execute(store.db);
    const limit = (pages.rows[0]?.page_count ?? 0) + 2;
    await sql`PRAGMA max_page_count = ${sql.raw(String(limit))}`.execute(store.db);
    const fill = store.transaction(async (trx) => {
      for (let number = 1; number <= 1_000; number++)
        await trx.insertInto('accounts').values(account(number)).execute();
    });
    await expect(fill).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(await countAccounts(store), 'nothing of it stays').toBe(0);
    await store.db.insertInto('accounts').values(account(1)).execute();
    expect(await countAccounts(store)).toBe(1);
  });

  test('a rule of a table is broken', async () => {
    const { store } = await open();
    const orphan = {
      auth_token_id: account(1).account_id,
      account_id: account(2).account_id,
      name: 'ci',
      digest: 'a'.repeat(64),
      created_at: 1,
    };
    const insert = store.db
      .insertInto('auth_tokens')
      .values({ ...orphan, expires_at: null, revoked_at: null })
      .execute();
    await expect(insert).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  });
});
