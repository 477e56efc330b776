import { expect, test } from 'vitest';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { oldSqlite } from '../support/store/old-schemas.ts';

test('a database of an earlier version keeps its paymasters, their keys and what belongs to them', () => {
  const database = oldSqlite(15);
  database.pragma('foreign_keys = ON');
  const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  database.prepare("INSERT INTO accounts (account_id, name, created_at) VALUES (?, 'Ada', 1)").run(id(1));
  const paymaster = database.prepare(
    `INSERT INTO paymasters
      (paymaster_number, paymaster_id, account_id, name, chain_id, version, api_key_digest, api_key_sealed, created_at)
    VALUES (?, ?, ?, ?, 1, '1', ?, ?, ?)`,
  );
  paymaster.run(3, id(2), id(1), 'Shop', 'a'.repeat(64), Buffer.from('one'), 10);
  paymaster.run(7, id(3), id(1), 'Game', 'b'.repeat(64), Buffer.from('two'), 20);
  database
    .prepare(
      `INSERT INTO webhooks (webhook_id, paymaster_id, webhook_url, request_type, active, secret_sealed, created_at)
      VALUES (?, ?, 'https://hooks.example', 'GET', 1, x'00', 1)`,
    )
    .run(id(4), id(3));

  migrate(database);
  expect(database.prepare('SELECT paymaster_number, paymaster_id, name FROM paymasters').raw().all()).toEqual([
    [3, id(2), 'Shop'],
    [7, id(3), 'Game'],
  ]);
  const keys = database
    .prepare('SELECT paymaster_id, digest, sealed, created_at, expires_at FROM api_keys')
    .raw()
    .all();
  expect(keys).toEqual([
    [id(2), 'a'.repeat(64), Buffer.from('one'), 10, null],
    [id(3), 'b'.repeat(64), Buffer.from('two'), 20, null],
  ]);
  expect(database.pragma('foreign_key_check')).toEqual([]);
  expect(database.prepare('SELECT paymaster_id FROM webhooks').pluck().all()).toEqual([id(3)]);
  // What refers to a paymaster is still held to it.
  expect(() => database.prepare('DELETE FROM paymasters WHERE paymaster_number = 7').run()).toThrow(/FOREIGN KEY/);
});
