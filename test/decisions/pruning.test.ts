import { DefaultQueryExecutor, type QueryExecutor } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Timers } from '../../core/base/time/clock.ts';
import { countDecisions } from '../../core/decisions/count-decisions.ts';
import { pruneDecisions, pruneGreediest, pruneStubs } from '../../core/decisions/pruning/prune-decisions.ts';
import { limitAccount } from '../../core/ledger/accounts/limit-accounts.ts';
import { startHousekeeping } from '../../core/runtime/upkeep.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { type DecisionLab, day, noon, openDecisionLab } from './decision-lab.ts';

let lab: DecisionLab;
beforeEach(async () => {
  lab = await openDecisionLab();
});
afterEach(() => lab.close());

const keep = { keepDays: 30, keepMost: 1_000 };
/** By age alone. */
const due = { keepDays: 30 };

async function kept(): Promise<string[]> {
  const rows = await lab.store.db.selectFrom('decisions').select('decision_id').orderBy('decision_number').execute();
  return rows.map(({ decision_id }) => decision_id);
}

describe('decisions', () => {
  test('are kept for the days that the operator says', async () => {
    await lab.add({ decidedAt: noon - 30 * day - 1 });
    const young = await lab.add({ decidedAt: noon - 30 * day });
    await lab.sweep(keep);
    expect(await kept()).toEqual([young]);
    lab.clock.advance(1);
    await lab.sweep(keep);
    expect(await kept()).toEqual([]);
  });

  test('of stubs are kept for a day, and counted for good', async () => {
    const old = noon - day - 1;
    await lab.add({ decidedAt: old, outcome: 'stub' });
    const signed = await lab.add({ decidedAt: old, outcome: 'signed' });
    const stub = await lab.add({ decidedAt: noon - day, outcome: 'stub' });
    const before = await kept();
    // Usage has not counted them yet.
    expect(await pruneStubs(lab.store, noon)).toBe(true);
    expect(await kept()).toEqual(before);
    await lab.sweep(keep);
    expect(await kept()).toEqual([signed, stub]);
    const sums = await lab.store.db
      .selectFrom('usage_sums')
      .select(({ fn }) => fn.sum<number>('stub').as('stub'))
      .where('dimension', '=', 'day')
      .executeTakeFirstOrThrow();
    expect(Number(sums.stub)).toBe(2);
  });

  test('are kept whatever their age while no chain agrees with the clock, up to that number', async () => {
    const ids = await lab.addMany(Array.from({ length: 1_010 }, () => ({ decidedAt: noon - 40 * day })));
    const usedNonce = { nonce: 'nonce', expires_at: noon - 1 };
    await lab.store.db.insertInto('used_nonces').values(usedNonce).execute();
    await lab.sweep(keep, false);
    expect(await kept()).toEqual(ids.slice(-1_000));
    // Strangers add these: they go by whatever clock.
    expect(await lab.store.db.selectFrom('used_nonces').selectAll().execute()).toEqual([]);
    await lab.sweep(keep);
    expect(await kept()).toEqual([]);
  });

  test('are kept up to the number that the operator says, the newest', async () => {
    const ids = await lab.addMany(Array.from({ length: 1_200 }, () => ({})));
    await lab.sweep(keep);
    expect(await kept()).toEqual(ids.slice(-1_000));
  });

  test('are kept up to that number though others are missing among them', async () => {
    const ids = await lab.addMany(Array.from({ length: 1_500 }, () => ({})));
    const missing = ids.slice(600, 900);
    await lab.store.transaction((trx) => trx.deleteFrom('decisions').where('decision_id', 'in', missing).execute());
    await lab.sweep(keep);
    expect(await kept()).toEqual([...ids.slice(200, 600), ...ids.slice(900)].slice(-1_000));
    expect(await kept()).toHaveLength(1_000);
  });

  describe('of several accounts', () => {
    async function countOf(paymasterId: string): Promise<number> {
      const { count } = await lab.store.db
        .selectFrom('decisions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('paymaster_id', '=', paymasterId)
        .executeTakeFirstOrThrow();
      return Number(count);
    }
    const of = (paymasterId: string, count: number) => Array.from({ length: count }, () => ({ paymasterId }));

    test('are pruned of the one that has most, and the others lose none to it', async () => {
      const [honest, flooder] = [lab.own.paymasterId, lab.foreign.paymasterId];
      await lab.addMany(of(honest, 300));
      await lab.addMany(of(flooder, 2_500));
      await lab.sweep(keep);
      expect([await countOf(honest), await countOf(flooder)]).toEqual([300, 700]);
      // Also what came in between the flooder's.
      await lab.addMany([...of(flooder, 400), ...of(honest, 100), ...of(flooder, 400)]);
      await lab.sweep(keep);
      expect([await countOf(honest), await countOf(flooder)]).toEqual([400, 600]);
      await lab.addMany(of(honest, 900));
      await lab.sweep(keep);
      expect([await countOf(honest), await countOf(flooder)]).toEqual([500, 500]);
    });

    test('count as one account’s, however many paymasters it spreads them over', async () => {
      const { own, foreign } = lab;
      const third = await lab.addPaymasterTo(foreign.accountId);
      await lab.addMany([...of(own.paymasterId, 450), ...of(foreign.paymasterId, 600), ...of(third, 300)]);
      await lab.sweep(keep);
      expect(await countOf(own.paymasterId)).toBe(450);
      expect([await countOf(foreign.paymasterId), await countOf(third)]).toEqual([275, 275]);
    });

    test('are pruned in turns that ask the database little, over however many paymasters they are spread', async () => {
      const { accountId, paymasterId } = lab.foreign;
      const paymasters = [paymasterId];
      while (paymasters.length < 20) paymasters.push(await lab.addPaymasterTo(accountId));
      await lab.addMany(paymasters.flatMap((each) => of(each, 20)));
      await countDecisions(lab.store);
      const asked = vi.spyOn(Object.getPrototypeOf(DefaultQueryExecutor.prototype) as QueryExecutor, 'executeQuery');
      onTestFinished(() => asked.mockRestore());
      expect(await pruneGreediest(lab.store, 200, new Map())).toEqual({ seen: 200, pruned: 200 });
      // The oldest of each are read one by one, and all are deleted together.
      expect(asked.mock.calls.length).toBeLessThan(2 * paymasters.length);
    });

    test('are not counted any more when they were pruned for their age', async () => {
      const [honest, flooder] = [lab.own.paymasterId, lab.foreign.paymasterId];
      await lab.addMany(of(flooder, 900));
      await lab.sweep(keep);
      lab.clock.advance(31 * day);
      await lab.addMany([...of(honest, 700), ...of(flooder, 200)]);
      await lab.sweep(keep);
      expect([await countOf(honest), await countOf(flooder)]).toEqual([700, 200]);
      await lab.addMany(of(flooder, 300));
      await lab.sweep(keep);
      expect([await countOf(honest), await countOf(flooder)]).toEqual([500, 500]);
    });

    test('with live holds are passed over, and later ones of the same account go instead', async () => {
      const [honest, flooder] = [lab.own.paymasterId, lab.foreign.paymasterId];
      const holdId = await lab.hold({ state: 'live', amount: 9n });
      const open = await lab.addMany(of(flooder, 300).map((one) => ({ ...one, outcome: 'signed' as const, holdId })));
      await lab.addMany([...of(honest, 200), ...of(flooder, 1_000)]);
      await lab.sweep(keep);
      expect([await countOf(honest), await countOf(flooder)]).toEqual([200, 800]);
      expect((await kept()).slice(0, 300)).toEqual(open);
    });
  });

  test('whose hold is live are kept until it is closed, and the others are pruned around them', async () => {
    const holdId = await lab.hold({ state: 'live', amount: 9n });
    const old = { decidedAt: noon - 40 * day };
    await lab.add(old);
    const open = await lab.add({ ...old, outcome: 'signed', holdId });
    await lab.add(old);
    await lab.sweep(keep);
    expect(await kept()).toEqual([open]);
    await lab.changeHold(holdId, { state: 'settled', amount: 9n, charge: 8n });
    await lab.sweep(keep);
    expect(await kept()).toEqual([]);
    const usage = await lab.reading.getUsage({ ...lab.own, by: 'outcome', from: '2026-12-01' });
    expect(usage).toMatchObject({
      value: [
        { key: 'signed', decisions: { signed: 1 }, landed: 1, charge: 8n },
        { key: 'refused', decisions: { refused: 2 }, landed: 0, charge: 0n },
      ],
    });
  });

  test('go at most 500 a step, however many are due', async () => {
    await lab.addMany(Array.from({ length: 1_100 }, () => ({ decidedAt: noon - 40 * day })));
    while (!(await countDecisions(lab.store)).done);
    const steps: number[] = [];
    for (let after = 0, done = false; !done; ) {
      const before = (await kept()).length;
      ({ after, done } = await pruneDecisions(lab.store, { ...due, now: noon, after }));
      steps.push(before - (await kept()).length);
    }
    expect(steps).toEqual([500, 500, 100, 0]);
  });
});

test('a decision is counted though it has the number of one that was counted and pruned', async () => {
  await lab.addMany(Array.from({ length: 3 }, () => ({})));
  lab.clock.advance(31 * day);
  await lab.sweep(keep);
  expect(await kept()).toEqual([]);
  await lab.add({ outcome: 'quoted' });
  const rows = await lab.reading.getUsage({ ...lab.own, by: 'outcome' });
  expect(rows).toMatchObject({ value: [{ key: 'quoted', decisions: { quoted: 1 } }] });
});

test('what a limit has counted is deleted two days after its window, and for ever never', async () => {
  const limits = (['hour', 'day', 'week', 'month', 'ever'] as const).map((window) => {
    return { per: 'total', window, unit: 'operations', max: 9n } as const;
  });
  const hold = { paymasterId: lab.own.paymasterId, policyId: '', sender: '', keyNumber: 0 };
  const numbers = { of: (_owner: string, limit: { readonly window: string }) => limit.window.length };
  const names = (moment: number) => limits.map((limit) => limitAccount(limit, hold, { numbers, now: moment }));
  const moments = [noon, noon - 3 * day, noon - 70 * day];
  const accounts = new Map(moments.flatMap(names).map((account) => [account.name, account]));
  const wei = toWeiText(1n);
  await lab.store.db
    .insertInto('ledger_accounts')
    .values(
      [...accounts.values()].map(({ name, keptUntil = null }, index) => ({
        account_id: index + 1,
        name,
        kept_until: keptUntil,
        count: 1,
        amount: wei,
        base_count: 0,
        base_amount: wei,
      })),
    )
    .execute();
  await lab.sweep(keep);
  const left = await lab.store.db.selectFrom('ledger_accounts').select('name').execute();
  // 15 January 2027 is a Friday, so three days before is in the same week and month.
  expect(new Set(left.map(({ name }) => name))).toEqual(new Set(names(noon).map(({ name }) => name)));
});

test('housekeeping prunes when its time comes, and no longer once it is closed', async () => {
  const due: (() => void)[] = [];
  const stopped: boolean[] = [];
  const timers: Timers = {
    at(_time, work) {
      due.push(work);
      return () => {
        stopped.push(true);
      };
    },
  };
  const { store, clock } = lab;
  const housekeeping = startHousekeeping({
    store,
    clock,
    isClockRight: () => true,
    keep,
    timers,
    logger: silentLogger,
  });
  const old = await lab.add({ decidedAt: noon - 40 * day });
  expect(await kept()).toEqual([old]);
  due[0]?.();
  await vi.waitFor(async () => expect(await kept()).toEqual([]));
  await vi.waitFor(() => expect(due).toHaveLength(2));
  const next = await lab.add({ decidedAt: noon - 40 * day });
  due[1]?.();
  // Closing waits for the step under way, which counts; a sweep that was told to stop ends after it.
  await housekeeping.close();
  expect(await kept()).toEqual([next]);
  expect(await store.db.selectFrom('kept_decisions').select('decisions').execute()).toContainEqual({ decisions: 1 });
  expect(due).toHaveLength(2);
  expect(stopped).toHaveLength(1);
});
