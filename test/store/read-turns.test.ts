import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { actAs, carryOut } from '../../core/domain/access/actor.ts';
import { openPostgresStore } from '../../core/store/postgres/open-postgres-store.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../core/store/store.ts';
import { isOnPostgres, testDatabase } from '../support/store/test-database.ts';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-turns-'));
  store = await open();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function open(maxMs?: number): Promise<Store> {
  const database = await testDatabase(folder);
  return database.kind === 'sqlite'
    ? openSqliteStore(database.file, maxMs)
    : openPostgresStore(database.url, undefined, maxMs);
}

/** What an operation of an account does. */
function of<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  return carryOut({ name: 'listDecisions', input: { accountId } }, work);
}

/** Keeps a connection busy. */
function count(most: number) {
  return sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(most)})
    SELECT count(*) FROM numbers`.execute(store.reading);
}
const shortly = 10_000;
const long = 6_000_000;
const tooLong = 25_000_000;

function addAccount(name: string) {
  return store.transaction((transaction) =>
    transaction.insertInto('accounts').values({ account_id: randomUUID(), name, created_at: 1 }).execute(),
  );
}

test('what was just written is read', async () => {
  for (let number = 0; number < 20; number += 1) {
    await addAccount(`account ${number}`);
    expect(await store.reading.selectFrom('accounts').selectAll().execute()).toHaveLength(number + 1);
  }
});

test('an account that wants to read much delays another by one turn', async () => {
  const order: string[] = [];
  const read = (accountId: string) => of(accountId, () => count(shortly)).then(() => order.push(accountId));
  // Opening a connection takes as long as several readings.
  await Promise.all(['greedy', 'modest'].map(read));
  order.length = 0;
  const all = Array.from({ length: 20 }, () => read('greedy'));
  await read('modest');
  expect(order.filter((accountId) => accountId === 'greedy').length).toBeLessThan(3);
  await Promise.all(all);
});

test('while one account reads for long, another does not wait, and neither do the log and the service', async () => {
  let isOver = false;
  const reading = of('greedy', () => count(long)).finally(() => {
    isOver = true;
  });
  const waiting = of('greedy', () => count(shortly));
  await of('modest', () => count(shortly));
  await count(shortly);
  if (!isOnPostgres) {
    const file = join(folder, 'tollfree.db');
    const before = statSync(file).size;
    // Fewer pages than a commit would copy by itself.
    for (let commits = 0; commits < 100; commits += 1) await addAccount('x'.repeat(128));
    await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(before));
  }
  expect(isOver).toBe(false);
  await Promise.all([reading, waiting]);
});

test('what no one waits for any more is not read', async () => {
  const ended = new AbortController();
  const asked = vi.fn();
  const reading = of('one', () => count(long));
  const given = actAs(
    { kind: 'operator' },
    () =>
      of('one', () =>
        store.read(async (snapshot) => {
          asked();
          await sql`SELECT 1`.execute(snapshot);
        }),
      ),
    ended.signal,
  );
  ended.abort();
  await expect(given).rejects.toMatchObject({ name: 'ReadStoppedError', why: 'gone' });
  await reading;
  expect(asked).not.toHaveBeenCalled();
});

test('a reading of several statements ends between two of them once no one waits for it', async () => {
  const ended = new AbortController();
  const begun = vi.fn();
  const reading = actAs(
    { kind: 'operator' },
    () =>
      of('one', () =>
        store.read(async (snapshot) => {
          await sql`SELECT 1`.execute(snapshot);
          ended.abort();
          await sql`SELECT 2`.execute(snapshot).then(begun);
        }),
      ),
    ended.signal,
  );
  await expect(reading).rejects.toMatchObject({ why: 'gone' });
  expect(begun).not.toHaveBeenCalled();
  // The connection is whole again.
  await Promise.all([of('one', () => count(shortly)), of('two', () => count(shortly)), count(shortly)]);
});

test('a reader that goes at any moment leaves its connection to others', async () => {
  for (let moment = 0; moment < 40; moment += 1) {
    const ended = new AbortController();
    const reading = actAs({ kind: 'operator' }, () => of('one', () => count(shortly)), ended.signal);
    const outcome = reading.catch((cause: unknown) => cause);
    for (let passed = 0; passed < moment; passed += 1) await Promise.resolve();
    ended.abort();
    await outcome;
  }
  await Promise.all(['one', 'two', 'three', 'four'].map((accountId) => of(accountId, () => count(shortly))));
});

test('an account’s statement that takes too long is given up, again and again, and others read on', async () => {
  await store.close();
  // Enough for starting a thread on a busy machine.
  store = await open(2_500);
  const late = { name: 'ReadStoppedError', why: 'late' };
  const greedy = ['one', 'two', 'three'].map((accountId) =>
    expect(of(accountId, () => count(tooLong))).rejects.toMatchObject(late),
  );
  await Promise.all(greedy);
  expect((await of('modest', () => count(shortly))).rows).toHaveLength(1);
  // The service's own checks may take as long as they need.
  await count(tooLong);
  expect((await of('one', () => count(shortly))).rows).toHaveLength(1);
});
