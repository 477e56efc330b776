import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../core/store/store.ts';
import { createWriteBehind, maxWaiting, type WriteBehind } from '../../core/store/write-behind.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Rows above this number take a mebibyte. */
const large = 1_000_000;
const mebibyte = 1_048_576;

/** Rows up to this number are of one tenant, the others of another one. */
const honest = 10;

let store: Store;
let rows: WriteBehind<number>;
let errors: object[];
let fault: Error | undefined;
/** A row that the database never takes. */
let refused: number | undefined;
let batches: number[];

beforeEach(async () => {
  store = await openSqliteStore(join(temporaryFolder(), 'tollfree.db'));
  errors = [];
  fault = undefined;
  refused = undefined;
  batches = [];
  rows = createWriteBehind<number>({
    store,
    logger: { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) },
    what: 'Accounts',
    ownerOf: (number) => (number <= honest ? 'honest' : 'flooder'),
    bytesOf: (number) => (number > large ? mebibyte : 1),
    insert: async (transaction, batch) => {
      batches.push(batch.length);
      if (fault !== undefined) throw fault;
      if (refused !== undefined && batch.includes(refused)) throw new Error('a value is out of range');
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

test('rows that come while others are written are written too, and none twice', async () => {
  rows.add(1);
  const flushed = rows.flush();
  rows.add(2);
  await Promise.all([flushed, rows.flush()]);
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

test('a row that the database refuses is dropped, and costs no other one its place', async () => {
  refused = 130;
  const many = Array.from({ length: 300 }, (_, index) => index + 1);
  for (const row of many) rows.add(row);
  await rows.flush();
  expect(await written()).toEqual(many.filter((row) => row !== refused));
  expect(errors).toEqual([{ err: new Error('a value is out of range'), owner: 'flooder' }]);
});

test('a row that fails alone waits until another one shows that the database works', async () => {
  refused = 1;
  rows.add(1);
  await rows.flush();
  expect(errors).toEqual([{ err: new Error('a value is out of range'), count: 1 }]);
  refused = undefined;
  rows.add(2);
  await rows.flush();
  expect(await written()).toEqual([1, 2]);
});

test('large rows share a transaction with few others', async () => {
  for (const row of [large + 1, large + 2, 3, 4]) rows.add(row);
  await rows.flush();
  expect(batches).toEqual([1, 1, 2]);
});

test('rows that wait take no more memory than they may, of an owner that has many', async () => {
  fault = new Error('the disk is full');
  rows.add(1);
  for (let row = 1; row <= 100; row += 1) rows.add(large + row);
  fault = undefined;
  await rows.flush();
  // The oldest of the large ones were given up, and not the other owner's.
  expect(await written()).toHaveLength(64);
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
  await rows.flush();
  expect((await written()).slice(0, honest + 1)).toEqual([...own, 2 * honest + 1]);
}, 60_000);
