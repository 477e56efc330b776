import { expect, test } from 'vitest';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { createDryHolds, createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { setPolicyLimits } from '../support/core/set-limits.ts';
import { useLimitLab } from '../support/core/use-limit-lab.ts';

const lab = useLimitLab();

const heldIds = async () => {
  const rows = await lab.ledger.store.db.selectFrom('holds').select('hold_id').orderBy('hold_id').execute();
  return rows.map(({ hold_id }) => hold_id);
};
const counters = () => lab.ledger.store.db.selectFrom('counters').selectAll().orderBy('name').execute();

test('numbers of a transaction that fails are given again, and none twice', async () => {
  const { store } = lab.ledger;
  await setPolicyLimits(store, lab.paymasterId, [{ per: 'sender', window: 'day', unit: 'operations', max: 9n }]);
  let fails = false;
  const alsoWrite = async () => {
    if (fails) throw new Error('The disk is full.');
    return () => {};
  };
  const queue = createHoldQueue(store, lab.clock, [{ alsoWrite }]);
  const first = await lab.ask({}, queue);
  const before = await counters();
  fails = true;
  const failed = await Promise.allSettled([lab.ask({}, queue), lab.ask({}, queue)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await counters()).toEqual(before);
  fails = false;
  const later = await Promise.all([lab.ask({}, queue), lab.ask({}, queue), lab.ask({}, queue)]);
  const ids = [first, ...later].map((outcome) => (outcome.kind === 'held' ? outcome.holdId : undefined));
  expect(new Set(ids)).toEqual(new Set(await heldIds()));
  expect(new Set(ids).size).toBe(4);
  expect(await store.read(checkAccounts)).toEqual([]);
});

test('what is only tried, and what is refused, takes no number', async () => {
  const { store } = lab.ledger;
  await lab.ask();
  await setPolicyLimits(store, lab.paymasterId, [{ per: 'total', window: 'day', unit: 'operations', max: 0n }]);
  const before = await counters();
  expect((await lab.ask({ mode: 'ERC20' }, createDryHolds(store, lab.clock))).kind).toBe('held');
  expect((await lab.ask()).kind).toBe('limited');
  expect(await counters()).toEqual(before);
  expect(await heldIds()).toHaveLength(1);
});
