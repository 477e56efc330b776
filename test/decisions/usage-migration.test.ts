import { expect, onTestFinished, test } from 'vitest';
import { countDecisions } from '../../core/decisions/count-decisions.ts';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { oldSqlite } from '../support/store/old-schemas.ts';
import { day, noon, openDecisionLab } from './decision-lab.ts';

const [first, second] = [0xc1, 0xc2].map(numberedAddress);
if (first === undefined || second === undefined) throw new Error('There are two contracts.');

test('a database of an earlier version gets the sums of usage that this version would have kept', async () => {
  const lab = await openDecisionLab();
  onTestFinished(() => lab.close());
  const sender = numberedAddress(1);
  const calls = [{ target: first, selector: '0xaaaaaaaa' }, { target: first }, { target: second }] as const;
  const settled = await lab.hold({ state: 'settled', amount: 9n, charge: 10n ** 30n, chargeUsd: 7, success: true });
  const live = await lab.hold({ state: 'live', amount: 5n });
  await lab.addMany([
    { decidedAt: noon - 9 * day, sender, calls, outcome: 'signed', holdId: settled },
    { decidedAt: noon - 8 * day, sender, calls: calls.slice(1), outcome: 'signed', holdId: settled },
    { decidedAt: noon - 8 * day, sender, token: first, outcome: 'signed', holdId: live },
    { decidedAt: noon - day, sender: second, calls: [], outcome: 'quoted', token: second },
    { decidedAt: noon, outcome: 'refused' },
    { decidedAt: noon, outcome: 'stub', sender },
    { decidedAt: noon, paymasterId: lab.foreign.paymasterId, sender },
  ]);
  while (!(await countDecisions(lab.store)).done);
  // Hours are counted from the upgrade on, and so are the keys that callers chose.
  const expected = await lab.store.db.selectFrom('usage_sums').selectAll().where('dimension', '<>', 'hour').execute();

  const old = oldSqlite(23);
  old.pragma('foreign_keys = OFF');
  for (const table of ['holds', 'decisions'] as const) {
    for (const row of await lab.store.db.selectFrom(table).selectAll().execute()) {
      const known = old.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
      const kept = Object.fromEntries(Object.entries(row).filter(([name]) => known.includes(name)));
      const names = Object.keys(kept);
      const marks = names.map(() => '?').join();
      old.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${marks})`).run(Object.values(kept));
    }
  }
  migrate(old);
  const order = (rows: readonly object[]) => rows.map((row) => Object.entries(row).sort().join()).sort();
  const upgraded = old.prepare('SELECT * FROM usage_sums').all() as object[];
  expect(order(upgraded)).toEqual(order(expected.map((row) => ({ ...row, chosen_keys: 0 }))));
});

test('what pruned decisions came to is in the sums of usage', () => {
  const old = oldSqlite(23);
  const total = old.prepare(
    `INSERT INTO usage_totals (paymaster_id, dimension, day, key, signed, quoted, stub, refused, landed, charge, priced, charge_usd)
    VALUES ('one', ?, ?, ?, 3, 0, 0, 1, 2, ?, 1, 8)`,
  );
  for (const [dimension, key] of [
    ['sender', 'ada'],
    ['day', '2026-11-12'],
    ['outcome', 'signed'],
  ] as const) {
    for (const at of ['2026-11-12', '2026-11-13']) total.run(dimension, at, key, toWeiText(10n ** 20n));
  }
  migrate(old);
  const at = Date.UTC(2026, 10, 12) / 1_000;
  const sums = old.prepare('SELECT dimension, day, key, signed, landed, charge, priced, usd_micros FROM usage_sums');
  const one = [3, 2, toWeiText(10n ** 20n), 1, 8];
  expect(sums.raw().all()).toEqual([
    ['day', at, '', ...one],
    ['day', at + day, '', ...one],
    ['sender', at, 'ada', ...one],
    ['sender', at + day, 'ada', ...one],
    ['via', at, 'paymaster', ...one],
    ['via', at + day, 'paymaster', ...one],
  ]);
});
