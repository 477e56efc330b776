import fs, { cpSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { newestVersion } from '../../core/store/migrations/history.ts';
import { backUpDatabase } from '../../core/store/sqlite/backup/back-up-database.ts';
import { restoreDatabase } from '../../core/store/sqlite/backup/restore-database.ts';
import { lockDatabase } from '../../core/store/sqlite/lock-database.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../core/store/store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const now = new Date('2026-11-22T22:05:09.123Z');

async function addAccounts(store: Store, ...names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ account_id: crypto.randomUUID(), name, created_at: 1 }));
  await store.db.insertInto('accounts').values(rows).execute();
}

async function accountsIn(file: string): Promise<readonly string[]> {
  const store = await openSqliteStore(file);
  const rows = await store.db.selectFrom('accounts').select('name').orderBy('name').execute();
  await store.close();
  return rows.map(({ name }) => name);
}

/** A folder with a closed database that has an account, and a copy of it; then the database got another account. */
async function withCopy() {
  const folder = temporaryFolder();
  const file = join(folder, 'tollfree.db');
  const copy = join(folder, 'copy.db');
  const store = await openSqliteStore(file);
  await addAccounts(store, 'Ada');
  await backUpDatabase(file, copy);
  await addAccounts(store, 'Bob');
  return { folder, file, copy, store };
}

function sqlite(file: string, sql: string): void {
  const database = openHandle(file);
  database.exec(sql);
  database.close();
}

function spoilPage(file: string): void {
  const bytes = readFileSync(file);
  // Not the first page, which says that it is a database, and not the last, which may be free.
  bytes.fill(0xa5, 4_096 * 3, 4_096 * 4);
  writeFileSync(file, bytes);
}

/** An amount as the database has it. */
const wei = (amount: number) => `'${amount}'`;

test('a copy is that of one moment, no matter who writes meanwhile, and only its owner reads it', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tollfree.db');
  const store = await openSqliteStore(file);
  await addAccounts(store, 'Ada');
  const writes: Promise<void>[] = [];
  const out = join(folder, 'copy.db');
  const facts = await backUpDatabase(file, out, () => void writes.push(addAccounts(store, 'Bob')));
  await Promise.all(writes);
  expect(writes.length).toBeGreaterThan(0);
  await store.close();
  expect(facts).toEqual({
    bytes: statSync(out).size,
    schemaVersion: newestVersion,
    entries: 0,
    chains: [],
  });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
  expect(await accountsIn(out)).toEqual(['Ada']);
});

test('reports how far each chain’s ledger has come, with the number of entries', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tollfree.db');
  await (await openSqliteStore(file)).close();
  sqlite(
    file,
    `INSERT INTO contract_watches (chain_id, contract, next_block, last_hash) VALUES (1, 'a', 8, ''), (1, 'b', 11, ''), (10, 'a', 5, '');
     INSERT INTO tanks (chain_id, contract, wallet, funded, settled) VALUES (1, 'a', 'w', ${wei(5)}, ${wei(0)});
     INSERT INTO contract_totals (chain_id, contract, deposit) VALUES (1, 'a', ${wei(0)});
     INSERT INTO journal (contract_id, tank_id, kind, amount, moved, reason, reversal, created_at)
     VALUES (1, 1, 'credit', ${wei(2)}, ${wei(0)}, 'r', 0, 1), (1, 1, 'credit', ${wei(3)}, ${wei(0)}, 'r', 0, 1);`,
  );
  const facts = await backUpDatabase(file, join(folder, 'copy.db'));
  expect(facts).toMatchObject({
    entries: 2,
    chains: [
      { chainId: 1, block: 10 },
      { chainId: 10, block: 4 },
    ],
  });
});

test('a copy overwrites nothing, and leaves nothing where it fails', async () => {
  const { folder, file, copy, store } = await withCopy();
  await store.close();
  const before = readFileSync(copy);
  await expect(backUpDatabase(file, copy)).rejects.toThrow('never overwritten');
  expect(readFileSync(copy).equals(before)).toBe(true);
  await expect(backUpDatabase(file, join(folder, 'none', 'copy.db'))).rejects.toThrow('Check that its folder exists');

  truncateSync(copy, statSync(copy).size - 8_192);
  await expect(backUpDatabase(copy, join(folder, 'other.db'))).rejects.toThrow('It is damaged');
  expect(readdirSync(folder).filter((name) => name.startsWith('other'))).toEqual([]);
});

test('a restored copy replaces the database, which is kept with what only its log had', async () => {
  const { folder, file, copy, store } = await withCopy();
  // As a process leaves them that is killed: what is new is in the write-ahead log.
  for (const ending of ['', '-wal', '-shm']) {
    writeFileSync(join(folder, `killed.db${ending}`), readFileSync(`${file}${ending}`));
  }
  await store.close();
  const killed = join(folder, 'killed.db');
  const restored = await restoreDatabase({ from: copy, to: killed, now });
  expect(restored).toMatchObject({
    schemaVersion: newestVersion,
    movedAside: `${killed}.before-restore-2026-11-22T220509Z`,
  });
  expect(statSync(killed).mode & 0o777).toBe(0o600);
  expect(existsSync(`${killed}-wal`)).toBe(false);
  expect(await accountsIn(killed)).toEqual(['Ada']);
  expect(await accountsIn(restored.movedAside ?? '')).toEqual(['Ada', 'Bob']);
});

/** Does something to files, and answers what a process would leave that is killed at any step: a copy of the folder for each. */
async function withEveryMoment(folder: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  const moments: string[] = [];
  const elsewhere = temporaryFolder();
  let isCopying = false;
  const spies = (['renameSync', 'rmSync', 'copyFileSync', 'openSync', 'fsyncSync'] as const).map((name) => {
    const act = fs[name] as (...args: readonly unknown[]) => unknown;
    return vi.spyOn(fs, name).mockImplementation((...args: readonly unknown[]): never => {
      if (!isCopying) {
        isCopying = true;
        const moment = join(elsewhere, `${String(moments.length).padStart(2, '0')} before ${name}`);
        cpSync(folder, moment, { recursive: true });
        moments.push(moment);
        isCopying = false;
      }
      return act(...args) as never;
    });
  });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
  return moments;
}

test('whenever it is killed there is one whole database, and the next one puts the copy back', async () => {
  const { file, copy, store } = await withCopy();
  const location = temporaryFolder();
  const to = join(location, 'tollfree.db');
  for (const ending of ['', '-wal', '-shm']) cpSync(`${file}${ending}`, `${to}${ending}`);
  await store.close();
  const moments = [...(await withEveryMoment(location, () => restoreDatabase({ from: copy, to, now }))), location];

  const seen: string[] = [];
  for (const moment of moments) {
    const killed = join(temporaryFolder(), 'killed');
    cpSync(moment, killed, { recursive: true });
    const accounts = (await accountsIn(join(killed, 'tollfree.db'))).join();
    expect(['Ada,Bob', 'Ada'], basename(moment)).toContain(accounts);
    seen.push(accounts);
    await restoreDatabase({ from: copy, to: join(moment, 'tollfree.db'), now: new Date(now.getTime() + 60_000) });
    expect(await accountsIn(join(moment, 'tollfree.db')), basename(moment)).toEqual(['Ada']);
    const aside = readdirSync(moment).filter((name) => /before-restore-[\dTZ-]+$/.test(name));
    const kept = await Promise.all(aside.map((name) => accountsIn(join(moment, name))));
    expect(kept.map(String), basename(moment)).toContain('Ada,Bob');
  }
  // The one before until a moment, and from then on the copy.
  expect(seen).toEqual(seen.toSorted().toReversed());
  expect(new Set(seen).size).toBe(2);
});

test('where there is no database a copy is put into a new folder', async () => {
  const { folder, copy, store } = await withCopy();
  await store.close();
  const to = join(folder, 'new', 'tollfree.db');
  expect(await restoreDatabase({ from: copy, to, now })).not.toHaveProperty('movedAside');
  expect(await accountsIn(to)).toEqual(['Ada']);
});

test('one that is damaged makes room for a copy, and is kept as it is', async () => {
  const { file, copy, store } = await withCopy();
  await store.close();
  writeFileSync(file, 'no database any more');
  const { movedAside = '' } = await restoreDatabase({ from: copy, to: file, now });
  expect(readFileSync(movedAside, 'utf8')).toBe('no database any more');
  expect(await accountsIn(file)).toEqual(['Ada']);
});

test('nothing is put back while another program reads the database', async () => {
  const { folder, file, copy, store } = await withCopy();
  await store.close();
  const reader = openHandle(file);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM accounts').get();
  await expect(restoreDatabase({ from: copy, to: file, now })).rejects.toMatchObject({
    tryAgain: true,
    message: expect.stringContaining('reads the database'),
  });
  reader.close();
  expect(readdirSync(folder).filter((name) => /restor/.test(name))).toEqual([]);
  expect(await accountsIn(file)).toEqual(['Ada', 'Bob']);
});

test('nothing is put back while a service has the database', async () => {
  const { file, copy, store } = await withCopy();
  const lock = await lockDatabase(file);
  await expect(restoreDatabase({ from: copy, to: file, now })).rejects.toMatchObject({
    tryAgain: true,
    message: expect.stringContaining('Stop it first'),
  });
  lock.release();
  await store.close();
  expect(await accountsIn(file)).toEqual(['Ada', 'Bob']);
});

test.each([
  ['that is not there', () => {}, 'does not exist'],
  ['that is the database itself', () => {}, "is the service's own database"],
  ['that is no database', (copy: string) => writeFileSync(copy, 'a text'.repeat(1_000)), 'It is not a SQLite database'],
  ['that is empty', (copy: string) => writeFileSync(copy, ''), 'is empty'],
  ['of which the end is missing', (copy: string) => truncateSync(copy, statSync(copy).size / 2), 'It is damaged'],
  ['with a page of rubbish', (copy: string) => spoilPage(copy), 'is damaged'],
  ['of another program', (copy: string) => sqlite(copy, 'DROP TABLE schema_migrations'), 'of another program'],
  [
    'of a newer program',
    (copy: string) => sqlite(copy, "INSERT INTO schema_migrations VALUES (9999, 'later', 1)"),
    'has schema version 9999, but this program knows versions up to',
  ],
])('a copy %s is refused, and the database stays', async (what, spoil, sentence) => {
  const { folder, file, copy, store } = await withCopy();
  await store.close();
  spoil(copy);
  const from = what === 'that is not there' ? join(folder, 'none.db') : what.endsWith('itself') ? file : copy;
  await expect(restoreDatabase({ from, to: file, now })).rejects.toThrow(sentence);
  expect(readdirSync(folder).filter((name) => /restor/.test(name))).toEqual([]);
  expect(await accountsIn(file)).toEqual(['Ada', 'Bob']);
});
