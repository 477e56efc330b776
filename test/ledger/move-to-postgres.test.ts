import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkAllLedgers } from '../../core/ledger/checking/check-ledger.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { openOwnStore, openStore, openToRead } from '../../core/store/open-store.ts';
import { moveToPostgres } from '../../core/store/postgres/move-to-postgres.ts';
import { movedTables } from '../../core/store/postgres/moved-tables.ts';
import { backUpDatabase } from '../../core/store/sqlite/backup/back-up-database.ts';
import { markMoved, undoMove } from '../../core/store/sqlite/moved-mark.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../core/store/store.ts';
import {
  chainId,
  contract,
  depositEvent,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { commit, startLine } from '../support/store/breaking-line.ts';
import { emptyPostgres, isOnPostgres } from '../support/store/test-database.ts';

const owned = {
  paymasterId: '00000000-0000-4000-8000-000000000001',
  accountId: '00000000-0000-4000-8000-000000000002',
};

/** A database with entries, a landing and live holds, sealed bytes, and text beyond ASCII. */
async function fill(store: Store): Promise<void> {
  await ensureContractTotals(store, [{ chainId, address: contract }]);
  await insertPaymaster(store, owned);
  const key = {
    api_key_id: crypto.randomUUID(),
    paymaster_id: owned.paymasterId,
    digest: 'ab'.repeat(32),
    last_four: 'abab',
    created_at: 1,
  };
  await store.db
    .insertInto('api_keys')
    .values({ ...key, api_key_number: 41, sealed: Buffer.from([0, 255, 128]) })
    .execute();
  await store.db.updateTable('paymasters').set({ name: 'Grüße, 世界 \u{1F600}' }).execute();
  await post(store, [depositEvent(1, 10n ** 20n + 1n)]);
  const asked = { tank: tankOf(1), paymasterId: owned.paymasterId, sender: numberedAddress(0xa7) };
  await store.transaction((trx) => holdBatch(trx, [holdRequest({ ...asked, amount: 10n ** 19n, nonce: 1n })], 10));
  await post(store, [landedEvent(0xa7, 1n, 9n * 10n ** 18n)]);
  await store.transaction((trx) => holdBatch(trx, [holdRequest({ ...asked, amount: 7n, nonce: 2n })], 20));
}

async function rowsOf(store: Store) {
  const all: Record<string, unknown[]> = {};
  for (const table of movedTables) {
    const rows = await store.db.selectFrom(table).selectAll().execute();
    all[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  return all;
}

test.skipIf(!isOnPostgres)(
  'an installation is moved whole: every row, the numbers that follow, and a ledger that adds up',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollfree-move-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'tollfree.db');
    const before = await openSqliteStore(file);
    await fill(before);
    const expected = await rowsOf(before);
    await before.close();
    const to = await emptyPostgres();
    const moved = await moveToPostgres(file, to);
    expect(moved.filter(({ rows }) => rows > 0).map(({ table }) => table)).toEqual(
      movedTables.filter((table) => (expected[table]?.length ?? 0) > 0),
    );
    const after = await openStore({ kind: 'postgres', url: to });
    onTestFinished(() => after.close());
    expect(await rowsOf(after)).toEqual(expected);
    expect(await checkAllLedgers(after)).toEqual([]);
    const next = {
      paymaster_id: owned.paymasterId,
      digest: 'cd'.repeat(32),
      sealed: Buffer.from([1]),
      last_four: 'abab',
      created_at: 2,
      expires_at: 9,
    };
    const key = await after.db
      .insertInto('api_keys')
      .values({ ...next, api_key_id: crypto.randomUUID() })
      .returning('api_key_number')
      .executeTakeFirstOrThrow();
    expect(key.api_key_number).toBe(42);
    await post(after, [depositEvent(1, 5n)]);
    expect(await checkAllLedgers(after)).toEqual([]);

    // The file is no second signer, and no second source.
    await expect(openOwnStore({ kind: 'sqlite', file }, { logger: silentLogger })).rejects.toThrow(
      'was moved to postgres://',
    );
    await expect(moveToPostgres(file, to)).rejects.toThrow('was moved to postgres://');
    await undoMove(file);
    await expect(moveToPostgres(file, to)).rejects.toThrow('already has rows in accounts');
    const again = await openSqliteStore(file);
    expect(await rowsOf(again)).toEqual(expected);
    await again.close();
  },
);

test.skipIf(!isOnPostgres)('a move whose end is not known leaves no file to start with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tollfree.db');
  await (await openSqliteStore(file)).close();
  const line = await startLine(await emptyPostgres());
  onTestFinished(() => line.close());
  const moving = moveToPostgres(file, line.url, () => line.loseAnswerTo(commit));
  await expect(moving).rejects.toThrow('it is not known whether');
  await expect(openOwnStore({ kind: 'sqlite', file }, { logger: silentLogger })).rejects.toThrow('was moved to');
});

test.skipIf(!isOnPostgres)('nothing is moved of a file that a service has open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tollfree.db');
  const running = await openOwnStore({ kind: 'sqlite', file }, { logger: silentLogger });
  onTestFinished(() => running.close());
  const moving = moveToPostgres(file, await emptyPostgres());
  await expect(moving).rejects.toThrow('Another process still uses the database');
});

test('every table is moved, except one that the triggers of another fill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await openSqliteStore(join(folder, 'tollfree.db'));
  onTestFinished(() => store.close());
  const tables = await store.db.introspection.getTables();
  const names = tables
    .filter(({ isView }) => !isView)
    .map(({ name }) => name)
    .filter((name) => !['schema_migrations', 'audit_log_keys'].includes(name));
  expect([...movedTables].sort()).toEqual(names.sort());
});

describe('a file that was moved', () => {
  async function movedFile(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'tollfree-move-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'tollfree.db');
    await (await openSqliteStore(file)).close();
    markMoved(file, 'postgres://db.example:5432/gas');
    return file;
  }

  test('is refused by whatever would write or read it, with where it went and how to undo that', async () => {
    const file = await movedFile();
    const sentence = `was moved to postgres://db.example:5432/gas on `;
    await expect(openOwnStore({ kind: 'sqlite', file }, { logger: silentLogger })).rejects.toThrow(sentence);
    await expect(openStore({ kind: 'sqlite', file })).rejects.toThrow(`migrate --undo --from sqlite:${file}`);
    await expect(openToRead({ kind: 'sqlite', file })).rejects.toThrow(sentence);
    // What comes from it is no second signer either.
    const copy = `${file}.copy`;
    await backUpDatabase(file, copy);
    await expect(openStore({ kind: 'sqlite', file: copy })).rejects.toThrow(sentence);
  });

  test('is as it was after an undo, which no other file takes', async () => {
    const file = await movedFile();
    await undoMove(file);
    await (await openOwnStore({ kind: 'sqlite', file }, { logger: silentLogger })).close();
    await expect(undoMove(file)).rejects.toThrow('was not moved');
    await expect(undoMove(`${file}.none`)).rejects.toThrow('There is no database');
  });
});
