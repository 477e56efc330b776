import { expect, test } from 'vitest';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { oldSqlite } from '../support/store/old-schemas.ts';

const contract = numberedAddress(0xc1);
const [first, second] = [0x51, 0x52].map(numberedAddress);
/** When the list of keys began, and hours that begin after it. */
const listed = 7_000;
const hour = 3_600;
const large = 10n ** 30n;

test('a database of an earlier version gets its sums by the hour, and all keys of the time under its open holds', () => {
  const database = oldSqlite(13);
  database.prepare('UPDATE schema_migrations SET applied_at = ? WHERE version = 9').run(listed);
  for (const [tank, of] of [
    [1, contract],
    [2, numberedAddress(0xc2)],
  ] as const) {
    const none = toWeiText(0n);
    database
      .prepare(
        'INSERT INTO tanks (tank_id, chain_id, contract, wallet, funded, settled, held) VALUES (?, 1, ?, ?, ?, ?, ?)',
      )
      .run(tank, of, numberedAddress(1), none, none, none);
  }
  for (const [key, until] of [
    [first, 7_500],
    [second, null],
  ] as const) {
    database.prepare('INSERT INTO contract_signers VALUES (1, ?, ?, ?, ?)').run(contract, key, listed, until);
  }
  const hold = database.prepare(
    `INSERT INTO holds (hold_id, tank_id, slot, sender, nonce, amount, valid_until, state, paymaster_id, created_at, counted)
    VALUES (?, ?, ?, 'sender', '0', ?, 9000, ?, ?, ?, ?)`,
  );
  const add = (id: number, tank: number, state: string, paymaster: string, at: number, counted: bigint | null) =>
    hold.run(
      id,
      tank,
      `slot ${id}`,
      toWeiText(large),
      state,
      paymaster,
      at,
      counted === null ? null : toWeiText(counted),
    );
  add(1, 1, 'live', 'one', listed - 1, large);
  add(2, 1, 'live', 'one', 2 * hour, large);
  add(3, 1, 'settled', 'one', 2 * hour + 1, 5n);
  add(4, 1, 'released', 'one', 2 * hour + 2, 0n);
  add(5, 1, 'live', 'one', 3 * hour - 1, null);
  add(6, 2, 'live', 'two', 3 * hour, 7n);

  migrate(database);
  expect(database.prepare('SELECT policy_key, hour, operations, wei FROM counted_hours').raw().all()).toEqual([
    ['one', hour, 1, toWeiText(large)],
    ['one', 2 * hour, 2, toWeiText(large + 5n)],
    ['two', 3 * hour, 1, toWeiText(7n)],
  ]);
  const signers = database.prepare('SELECT signers FROM holds ORDER BY hold_id').pluck().all();
  const all = [first, second].sort().join();
  expect(signers.map((text) => String(text).split(',').sort().join())).toEqual([
    'null',
    all,
    'null',
    'null',
    all,
    'null',
  ]);
});
