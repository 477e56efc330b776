import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { openSqlite } from '../../core/store/sqlite/open-sqlite.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { type DevState, openDevState, settingsTables } from '../../server/dev/dev-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-dev-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What happened on a chain, or because of it, and goes with it. */
const chainTables = [
  'archived_entries',
  // Its triggers fill it.
  'audit_log_keys',
  'audit_log_pruning',
  'ledger_states',
  'chain_settings',
  'contract_signers',
  'contract_totals',
  'contract_watches',
  'counted_decisions',
  'decisions',
  'ended_limits',
  'forgotten_tickets',
  'signed_terms',
  'holds',
  'journal',
  'kept_decisions',
  'ledger_accounts',
  'ledger_archive',
  'limit_numbers',
  'notification_deliveries',
  'passed_blocks',
  'quotes',
  'relayed_operations',
  'shared_limits',
  'signatures',
  'tank_days',
  'tanks',
  'token_payments',
  'hot_wallet_transfers',
  'usage_sums',
  'webhook_answers',
  'webhook_notices',
  'write_probe',
];

/** Leaves what a run leaves: an account with a paymaster and its apiKey, and a tank with coin of its chain. */
async function useIt({ databaseFile }: DevState): Promise<void> {
  const store = await openSqliteStore(databaseFile);
  await store.db
    .insertInto('accounts')
    .values({ account_id: 'a'.repeat(36), name: 'mine', created_at: 1 })
    .execute();
  const paymaster = { paymaster_id: 'b'.repeat(36), account_id: 'a'.repeat(36), chain_id: 31_337, version: '1' };
  await store.db
    .insertInto('paymasters')
    .values({ ...paymaster, name: 'shop', created_at: 1 })
    .execute();
  const sealed = Buffer.from('sealed');
  const apiKey = { api_key_id: 'c'.repeat(36), digest: 'd'.repeat(64), sealed, last_four: 'dddd', created_at: 1 };
  await store.db
    .insertInto('api_keys')
    .values({ ...apiKey, paymaster_id: paymaster.paymaster_id })
    .execute();
  const [contract, wallet] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];
  const amounts = { funded: '0', settled: '0' };
  await store.db
    .insertInto('tanks')
    .values({ chain_id: 31_337, contract, wallet, ...amounts })
    .execute();
  await store.close();
}

async function found({ databaseFile }: DevState) {
  const store = await openSqliteStore(databaseFile);
  const accounts = await store.db.selectFrom('accounts').select('name').execute();
  const apiKeys = await store.db.selectFrom('api_keys').selectAll().execute();
  const tanks = await store.db.selectFrom('tanks').selectAll().execute();
  await store.close();
  return { accounts: accounts.map(({ name }) => name), apiKeys: apiKeys.length, tanks: tanks.length };
}

const keysOf = ({ signerKey, grpcToken, masterKey }: DevState) => [
  signerKey.reveal(),
  grpcToken.reveal(),
  Buffer.from(masterKey.reveal()).toString('hex'),
];

test('keeps keys, accounts and apiKeys, and nothing of the ledger', async () => {
  const first = openDevState(folder);
  expect(first.kept).toBe('there were none');
  await useIt(first);
  const second = openDevState(folder);
  expect(second.kept).toBe('kept');
  expect(keysOf(second)).toEqual(keysOf(first));
  expect(await found(second)).toEqual({ accounts: ['mine'], apiKeys: 1, tanks: 0 });
  expect(statSync(second.databaseFile).mode & 0o777).toBe(0o600);
});

test('keeps the whole database while the chain that it is about is kept, unless another node is used', async () => {
  const first = openDevState(folder);
  await useIt(first);
  writeFileSync(first.chainFile, '{}');
  const second = openDevState(folder);
  expect(second.kept).toBe('everything');
  expect(await found(second)).toEqual({ accounts: ['mine'], apiKeys: 1, tanks: 1 });

  const third = openDevState(folder, { nodeUrl: 'http://127.0.0.1:8545' });
  expect(third.kept).toBe('kept');
  expect(await found(third)).toEqual({ accounts: ['mine'], apiKeys: 1, tanks: 0 });
  expect(readdirSync(folder)).not.toContain('dev-chain.json');
});

test('makes everything again when it is told to', async () => {
  const first = openDevState(folder);
  await useIt(first);
  writeFileSync(first.authTokenFile, 'tf_of the last run');
  const second = openDevState(folder, { fresh: true });
  expect(second.kept).toBe('there were none');
  for (const [index, key] of keysOf(second).entries()) expect(key).not.toBe(keysOf(first)[index]);
  expect(await found(second)).toEqual({ accounts: [], apiKeys: 0, tanks: 0 });
  expect(readdirSync(folder)).not.toContain('dev-auth.token');
});

test('goes on where a start was cut short', async () => {
  const first = openDevState(folder);
  await useIt(first);
  // Moved away, and the new one begun.
  renameSync(first.databaseFile, `${first.databaseFile}.former`);
  await (await openSqliteStore(first.databaseFile)).close();
  const second = openDevState(folder);
  expect(await found(second)).toEqual({ accounts: ['mine'], apiKeys: 1, tanks: 0 });
  expect(readdirSync(folder).filter((name) => name.includes('former'))).toEqual([]);
});

test('says so when what an earlier run left cannot be read, and starts without', async () => {
  const first = openDevState(folder);
  writeFileSync(first.databaseFile, 'not a database');
  const second = openDevState(folder);
  expect(second.kept).toBe('not readable');
  expect(await found(second)).toEqual({ accounts: [], apiKeys: 0, tanks: 0 });
});

test('knows of every table whether it is kept', () => {
  const database = openSqlite(join(folder, 'empty.db'));
  migrate(database);
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all();
  database.close();
  // Made by the migrations themselves.
  const known = [...settingsTables, ...chainTables, 'schema_migrations'];
  expect(tables.toSorted()).toEqual(known.toSorted());
});
