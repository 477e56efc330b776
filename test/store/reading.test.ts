import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { watchTransactions } from '../../core/store/inside-transaction.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../core/store/store.ts';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-reading-'));
  store = await openSqliteStore(join(folder, 'tollfree.db'));
  await addAccount('first');
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function addAccount(name: string) {
  const account_id = randomUUID();
  return store.transaction((transaction) =>
    transaction.insertInto('accounts').values({ account_id, name, created_at: 1 }).execute(),
  );
}

function names(db: Store['db']) {
  return db.selectFrom('accounts').select('name').orderBy('name').execute();
}

test('a reading sees one moment, whatever is committed next to it', async () => {
  const seen = await store.read(async (snapshot) => {
    const before = await names(snapshot);
    await addAccount('second');
    const after = await names(snapshot);
    return { before, after };
  });
  expect(seen.before).toEqual([{ name: 'first' }]);
  expect(seen.after).toEqual(seen.before);
  expect(await store.read(names)).toHaveLength(2);
});

test('transactions are committed and the event loop turns while a long reading is under way', async () => {
  let isOver = false;
  const reading = store
    .read((snapshot) => sql`${sql.raw(longQuery)}`.execute(snapshot))
    .finally(() => {
      isOver = true;
    });
  let turns = 0;
  while (turns < 3) {
    turns += 1;
    await addAccount(`during ${turns}`);
  }
  expect(isOver).toBe(false);
  await reading;
});

/** Keeps a connection busy for some seconds. */
const longQuery = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500000)
  SELECT count(*) FROM numbers`;

test('a reading cannot write, says so, and leaves the next one alone', async () => {
  const writing = store.read((snapshot) => snapshot.deleteFrom('accounts').execute());
  await expect(writing).rejects.toThrow('the database cannot be written to');
  expect(await store.read(names)).toHaveLength(1);
});

test('a transaction does not wait for a reading of its own', async () => {
  onTestFinished(watchTransactions());
  const nested = store.transaction(() => store.read(names));
  await expect(nested).rejects.toThrow('store.read was used inside a transaction');
});

test('closing waits for the reading under way', async () => {
  const reading = store.read(names);
  await Promise.all([expect(reading).resolves.toEqual([{ name: 'first' }]), store.close()]);
  store = await openSqliteStore(join(folder, 'tollfree.db'));
});

/** Many rows with random keys in one transaction, which change about as many pages. */
function addAccounts(count: number) {
  const rows = Array.from({ length: count }, () => ({
    account_id: randomUUID(),
    name: 'x'.repeat(128),
    created_at: 1,
  }));
  return store.transaction((transaction) => transaction.insertInto('accounts').values(rows).execute());
}

test('what is committed gets from the log into the database file while the store is open', async () => {
  const file = join(folder, 'tollfree.db');
  const before = statSync(file).size;
  // Fewer pages than a commit would copy by itself.
  for (let commits = 0; commits < 100; commits += 1) await addAccounts(10);
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(before + 100_000));
});

test('the log starts from its beginning again, however long the store is written to', async () => {
  const log = join(folder, 'tollfree.db-wal');
  let written = 0;
  for (let commits = 0; commits < 400; commits += 1) {
    await addAccounts(250);
    written += 250 * 4_096;
  }
  expect(statSync(log).size).toBeLessThan(written / 4);
});
