import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { migrations } from '../../core/store/sqlite/migrations/migrations.ts';
import { budgets } from '../../core/store/sqlite/migrations/since-0024/0036-budgets.ts';
import { openHandle } from '../../core/store/sqlite/open-handle.ts';
import { toWeiText } from '../../core/store/wei/wei-text.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';

const day = 86_400;
const [accountId, one, two, gone] = ['a', '1', '2', '3'].map((letter) => letter.repeat(36)) as [
  string,
  string,
  string,
  string,
];

test('what was sponsored before there were budgets is worth what is known of it', () => {
  const database = openHandle(':memory:');
  onTestFinished(() => {
    database.close();
  });
  migrate(
    database,
    migrations.filter(({ version }) => version < budgets.version),
  );
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

  migrate(
    database,
    migrations.filter(({ version }) => version <= budgets.version),
  );
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
