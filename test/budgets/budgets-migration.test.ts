import { expect, test } from 'vitest';
import { toWeiText } from '../../core/store/wei.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { bringTo, oldSqlite } from '../support/store/old-schemas.ts';

const day = 86_400;
const [accountId, one, two, gone] = ['a', '1', '2', '3'].map((letter) => letter.repeat(36)) as [
  string,
  string,
  string,
  string,
];

test('what was sponsored before there were budgets is worth what is known of it', () => {
  const database = oldSqlite(35);
  database.prepare("INSERT INTO accounts (account_id, name, created_at) VALUES (?, 'a', 1)").run(accountId);
  for (const id of [one, two]) {
    database
      .prepare(
        "INSERT INTO paymasters (paymaster_id, account_id, name, chain_id, version, created_at) VALUES (?, ?, ?, 1, '1', 1)",
      )
      .run(id, accountId, id);
  }
  const none = toWeiText(0n);
  database
    .prepare(
      'INSERT INTO tanks (tank_id, chain_id, contract, wallet, funded, settled, held) VALUES (1, 1, ?, ?, ?, ?, ?)',
    )
    .run(numberedAddress(1), numberedAddress(2), none, none, none);
  const hold = database.prepare(
    `INSERT INTO holds (hold_id, tank_id, slot, sender, nonce, amount, valid_until, state, paymaster_id, created_at, counted,
      usd_micros, charge_usd) VALUES (?, 1, ?, 'sender', '0', ?, 9, ?, ?, ?, ?, ?, ?)`,
  );
  type Known = { readonly usd?: number; readonly charge?: number; readonly counted?: bigint | null };
  let holds = 0;
  const add = (paymasterId: string, at: number, state: string, { usd, charge, counted = 5n }: Known) => {
    holds += 1;
    const wei = counted === null ? null : toWeiText(counted);
    hold.run(holds, `slot ${holds}`, toWeiText(5n), state, paymasterId, at, wei, usd ?? null, charge ?? null);
  };
  add(one, day + 1, 'live', { usd: 7 });
  add(one, day + 2, 'settled', { charge: 20 });
  add(one, 2 * day, 'settled', { usd: 100, charge: 90 });
  add(two, 2 * day + 9, 'settled', { charge: 1_000 });
  // Of no known worth, let go of, paid by a user, of a paymaster that no one has.
  add(one, day, 'live', {});
  add(one, day, 'released', { usd: 0, counted: 0n });
  add(one, day, 'settled', { charge: 50_000, counted: null });
  add(gone, day, 'settled', { charge: 50_000 });

  bringTo(database, 36);
  const sums = database
    .prepare('SELECT paymaster_id, span, span_start, usd_micros FROM worth_sums ORDER BY 1, 2, 3')
    .raw()
    .all();
  expect(sums).toEqual([
    ['', 'day', day, 27],
    ['', 'day', 2 * day, 1_100],
    ['', 'ever', 0, 1_127],
    [one, 'day', day, 27],
    [one, 'day', 2 * day, 100],
    [one, 'ever', 0, 127],
    [two, 'day', 2 * day, 1_000],
    [two, 'ever', 0, 1_000],
  ]);
});
