import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { StartError } from '../../core/domain/start-error.ts';
import { lockDatabase } from '../../core/store/sqlite/lock-database.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const refusal = (file: string) =>
  lockDatabase(file).then(
    () => undefined,
    (error: unknown) => error,
  );

test('a database has one owner, who is asked to try again by the sentence the second one gets', async () => {
  const file = join(temporaryFolder(), 'tollfree.db');
  const first = await lockDatabase(file);
  const refused = await refusal(file);
  expect(refused).toBeInstanceOf(StartError);
  expect(refused).toMatchObject({
    tryAgain: true,
    message: expect.stringContaining('Only one process may keep its ledger'),
  });
  // A refused attempt must not take the lock away from its owner.
  expect(await refusal(file)).toBeInstanceOf(StartError);
  first.release();
  (await lockDatabase(file)).release();
});

test('a lock is held though nothing refers to it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const file = join(temporaryFolder(), 'tollfree.db');
  await lockDatabase(file);
  // What a turn of the loop has used is collected in the next.
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  expect(await refusal(file)).toBeInstanceOf(StartError);
});

test('an owner that stops in time is waited for', async () => {
  const file = join(temporaryFolder(), 'tollfree.db');
  const first = await lockDatabase(file);
  setTimeout(first.release, 250);
  (await lockDatabase(file, { maxWaitMs: 5_000 })).release();
});

test('two names of one database have one lock, which only its owner can read', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tollfree.db');
  await (await openSqliteStore(file)).close();
  symlinkSync(file, join(folder, 'other.db'));
  const first = await lockDatabase(file);
  expect(await refusal(join(folder, 'other.db'))).toBeInstanceOf(StartError);
  expect(statSync(`${file}.lock`).mode & 0o777).toBe(0o600);
  first.release();
});

test('the database stays open to others, like the commands for accounts', async () => {
  const file = join(temporaryFolder(), 'tollfree.db');
  const lock = await lockDatabase(file);
  const store = await openSqliteStore(file);
  await store.db
    .insertInto('accounts')
    .values({ account_id: crypto.randomUUID(), name: 'Ada', created_at: 1 })
    .execute();
  await store.close();
  lock.release();
});

test('a folder that does not exist is said to be missing', async () => {
  await expect(lockDatabase(join(temporaryFolder(), 'missing', 'tollfree.db'))).rejects.toThrow(
    'Check that its folder exists',
  );
});
