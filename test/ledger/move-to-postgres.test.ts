import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkAllLedgers } from '../../core/ledger/checking/check-all-ledgers.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { ensureContractTotals } from '../../core/ledger/posting/ensure-contract-totals.ts';
import { openOwnStore, openStore } from '../../core/store/open-store.ts';
import { moveToPostgres } from '../../core/store/postgres/move-to-postgres.ts';
import { movedTables } from '../../core/store/postgres/moved-tables.ts';
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
import { emptyPostgres, isOnPostgres } from '../support/store/test-database.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const owned = {
  paymasterId: '00000000-0000-4000-8000-000000000001',
  accountId: '00000000-0000-4000-8000-000000000002',
};

/** Books with entries, a landing and live holds, sealed bytes, and text beyond ASCII. */
async function fill(store: Store): Promise<void> {
  await ensureContractTotals(store, [{ chainId, address: contract }]);
  await insertPaymaster(store, owned);
  const key = {
    api_key_id: crypto.randomUUID(),
    paymaster_id: owned.paymasterId,
    digest: 'ab'.repeat(32),
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
  'an installation is moved whole: every row, the numbers that follow, and sound books',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollfree-move-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'tollfree.db');
    const before = await openSqliteStore(file);
    await fill(before);
    const expected = await rowsOf(before);
    await before.close();
    const bytes = readFileSync(file);

    const to = await emptyPostgres();
    const moved = await moveToPostgres(file, to, { logger });
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

    await expect(moveToPostgres(file, to, { logger })).rejects.toThrow('already has rows in accounts');
    expect(readFileSync(file).equals(bytes)).toBe(true);
  },
);

test.skipIf(!isOnPostgres)('nothing is moved of a file that a service has open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tollfree.db');
  const running = await openOwnStore({ kind: 'sqlite', file }, { logger });
  onTestFinished(() => running.close());
  const moving = moveToPostgres(file, await emptyPostgres(), { logger });
  await expect(moving).rejects.toThrow('Another process still uses the database');
});

test('every table is moved, except one that the triggers of another fill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await openSqliteStore(join(folder, 'tollfree.db'));
  onTestFinished(() => store.close());
  const tables = await store.db.introspection.getTables();
  const names = tables
    .map(({ name }) => name)
    .filter((name) => !['schema_migrations', 'audit_log_keys'].includes(name));
  expect([...movedTables].sort()).toEqual(names.sort());
});
