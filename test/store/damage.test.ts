import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchWrites } from '../../core/runtime/watch-writes.ts';
import { openOwnStore } from '../../core/store/open-store.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { mountSmallDisk } from '../support/store/small-disk.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A database with many accounts, that no one has open. */
async function filledFile(folder = temporaryFolder()): Promise<string> {
  const file = join(folder, 'tollfree.db');
  await (await openSqliteStore(file)).close();
  const database = openHandle(file);
  database.exec(`INSERT INTO accounts (account_id, name, created_at)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
    SELECT printf('%036d', n), 'An account', 1 FROM numbers`);
  database.close();
  return file;
}

/** Overwrites the pages in the middle of the file. */
function damage(file: string): void {
  const pages = Math.floor(statSync(file).size / 4_096);
  const handle = openSync(file, 'r+');
  const rubbish = Buffer.alloc(4_096, 0xa5);
  for (let page = Math.floor(pages / 2); page < pages - 1; page += 1)
    writeSync(handle, rubbish, 0, 4_096, page * 4_096);
  closeSync(handle);
}

const own = (file: string) => openOwnStore({ kind: 'sqlite', file }, { logger: silentLogger });

test('a damaged file is refused at the start, with what to do', async () => {
  const file = await filledFile();
  await (await own(file)).close();
  damage(file);
  await expect(own(file)).rejects.toMatchObject({
    name: 'StoreError',
    message: expect.stringContaining('restore the newest backup'),
  });
});

test('a file that is damaged while it is served takes nothing more, and says so until a restart', async () => {
  const file = await filledFile();
  const lines: string[] = [];
  const logger = { ...silentLogger, error: (_: object, message: string) => void lines.push(message) };
  const store = watchWrites(await own(file), { logger, clock: Date });
  onTestFinished(() => store.close());
  expect(await store.writeFault()).toBeUndefined();
  damage(file);
  const reading = store.db.selectFrom('accounts').select('name').execute();
  await expect(reading).rejects.toMatchObject({ name: 'DatabaseLostError', detail: 'the database is damaged' });
  const writing = store.transaction((trx) => trx.selectFrom('tanks').selectAll().execute());
  await expect(writing).rejects.toMatchObject({ name: 'DatabaseLostError' });
  for (const _ of [1, 2]) expect(await store.writeFault()).toContain('damaged');
  expect(lines).toEqual(['Nothing can be written: the database is damaged. Restore a backup']);
});

test('a full disk at the start is an outage, after which the start is tried again', async ({ skip }) => {
  const disk = mountSmallDisk(8) ?? skip('Only root may mount a disk.');
  onTestFinished(disk.close);
  const file = await filledFile(disk.folder);
  disk.fill();
  await expect(own(file)).rejects.toMatchObject({ name: 'StartError', tryAgain: true });
  disk.clear();
  await (await own(file)).close();
});
