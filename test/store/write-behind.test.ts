import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../core/store/store.ts';
import { createWriteBehind, maxWaiting, type WriteBehind } from '../../core/store/write-behind.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Rows up to this number are of one tenant, the others of another one. */
const honest = 10;

let store: Store;
let rows: WriteBehind<number>;
let errors: object[];
let fault: Error | undefined;

beforeEach(async () => {
  store = await openSqliteStore(join(temporaryFolder(), 'tollfree.db'));
  errors = [];
  fault = undefined;
  rows = createWriteBehind<number>({
    store,
    logger: { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) },
    what: 'Accounts',
    ownerOf: (number) => (number <= honest ? 'honest' : 'flooder'),
    insert: async (transaction, batch) => {
      if (fault !== undefined) throw fault;
      const accounts = batch.map((number) => ({ ...accountOf(number), name: 'Ada', created_at: number }));
      await transaction.insertInto('accounts').values(accounts).execute();
    },
  });
});
afterEach(async () => {
  await rows.close();
  await store.close();
});

function accountOf(number: number) {
  return { account_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` };
}

async function written(): Promise<readonly number[]> {
  const found = await store.db.selectFrom('accounts').select('created_at').orderBy('created_at').execute();
  return found.map((row) => row.created_at);
}

test('rows that went with a transaction which was not committed are written with the next one', async () => {
  for (const row of [1, 2]) rows.add(row);
  const failing = store.transaction(async (transaction) => {
    await rows.ride(transaction);
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect(await written()).toEqual([]);
  const arrive = await store.transaction((transaction) => rows.ride(transaction));
  arrive();
  expect(await written()).toEqual([1, 2]);
});

test('rows that have arrived are not written again, and those that came meanwhile are', async () => {
  rows.add(1);
  const arrive = await store.transaction((transaction) => rows.ride(transaction));
  rows.add(2);
  arrive();
  await rows.flush();
  expect(await written()).toEqual([1, 2]);
  expect(errors).toEqual([]);
});

test('rows that the database does not take stay in line, and the log says how many', async () => {
  rows.add(1);
  fault = new Error('the disk is full');
  await rows.flush();
  expect(errors).toEqual([{ err: fault, count: 1 }]);
  fault = undefined;
  await rows.flush();
  expect(await written()).toEqual([1]);
});

test('more rows than go into one transaction are all written', async () => {
  const many = Array.from({ length: 600 }, (_, index) => index + 1);
  for (const row of many) rows.add(row);
  await rows.close();
  expect(await written()).toEqual(many);
});

test('a row that waits for no other transaction is written by itself', async () => {
  rows.add(1);
  await expect.poll(written).toEqual([1]);
});

test('when too many rows wait, the owner that has most of them loses its oldest, and no other owner any', async () => {
  fault = new Error('the disk is full');
  const flood = Array.from({ length: maxWaiting }, (_, index) => honest + 1 + index);
  const own = Array.from({ length: honest }, (_, index) => index + 1);
  for (const row of [...own, ...flood]) rows.add(row);
  await rows.flush();
  expect(errors).toEqual([{ err: fault, count: maxWaiting }]);
  fault = undefined;
  const arrive = await store.transaction((transaction) => rows.ride(transaction));
  arrive();
  // The first that are written are the oldest that still wait.
  expect((await written()).slice(0, honest + 1)).toEqual([...own, 2 * honest + 1]);
}, 60_000);
