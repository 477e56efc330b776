import fc from 'fast-check';
import type { Hex } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keptUsageDays, maxChosenUsageKeys, maxUsageRows } from '../../contract/limits.ts';
import { countDecisions } from '../../core/decisions/count-decisions.ts';
import { pruneDecisions } from '../../core/decisions/pruning/prune-decisions.ts';
import { createDecisionRecorder } from '../../core/decisions/record-decisions.ts';
import type { DecisionOutcome } from '../../core/domain/decision.ts';
import type { UsageDimension, UsageRow } from '../../core/domain/usage.ts';
import { accepted } from '../../server/accepted.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { repeatsOfRun } from '../support/run/rows-of-run.ts';
import { type DecisionLab, day, noon, openDecisionLab, type TestDecision, type TestHold } from './decision-lab.ts';

let lab: DecisionLab;
beforeEach(async () => {
  lab = await openDecisionLab();
});
afterEach(() => lab.close());

const outcomes = ['signed', 'quoted', 'stub', 'refused'] as const satisfies readonly DecisionOutcome[];
/** Without hours, which are kept for fewer days, and costs, which count operations alone. */
const dimensions = [
  'day',
  'sender',
  'contract',
  'method',
  'relayedMethod',
  'token',
  'attribution',
  'via',
  'total',
  'outcome',
] as const;
const contracts = [numberedAddress(0xc1), numberedAddress(0xc2)] as const;
const selectors = ['0xaaaaaaaa', '0xbbbbbbbb', undefined] as const;
/** From here on the tests put decisions on ten days. */
const firstDay = noon - 9 * day;

function usage(by: UsageDimension, days: { from?: string; until?: string } = {}) {
  return lab.reading.getUsage({ ...lab.own, by, ...days });
}

/** A decision of the model; `nonce` names its hold if it was signed. */
type Modelled = TestDecision & {
  readonly outcome: DecisionOutcome;
  readonly decidedAt: number;
  readonly nonce: number;
};

const call = fc
  .record({ target: fc.constantFrom(...contracts), selector: fc.constantFrom(...selectors) })
  .map(({ target, selector }) => (selector === undefined ? { target } : { target, selector }));
const modelled: fc.Arbitrary<Modelled> = fc
  .record(
    {
      outcome: fc.constantFrom(...outcomes),
      decidedAt: fc.integer({ min: firstDay - day / 2, max: noon }),
      nonce: fc.nat({ max: 5 }),
      method: fc.constantFrom('sponsorUserOperation', 'relayUserOperation'),
      sender: fc.constantFrom(numberedAddress(1), numberedAddress(2), numberedAddress(3)),
      token: fc.constantFrom(numberedAddress(8), numberedAddress(9)),
      calls: fc.array(call, { maxLength: 4 }),
      attribution: fc.uniqueArray(fc.constantFrom('baseapp', 'a_wallet', 'none'), { minLength: 1 }),
    },
    { requiredKeys: ['outcome', 'decidedAt', 'nonce', 'method'], noNullPrototype: true },
  )
  // Recorded as they were made.
  .map((decision): Modelled => decision);
const wei = fc.bigInt({ min: 0n, max: 10n ** 24n });
const hold: fc.Arbitrary<TestHold> = fc.oneof(
  fc.record({ state: fc.constant('live' as const), amount: wei }),
  fc.record({ state: fc.constant('released' as const), amount: wei }),
  fc.record(
    {
      state: fc.constant('settled' as const),
      amount: wei,
      charge: wei,
      chargeUsd: fc.nat({ max: 10 ** 12 }),
      success: fc.boolean(),
    },
    { requiredKeys: ['state', 'amount', 'charge', 'success'], noNullPrototype: true },
  ),
);

const iso = (moment: number) => new Date(moment * 1_000).toISOString().split('T')[0] ?? '';

function keysOf(
  by: UsageDimension,
  { decidedAt, sender, token, outcome, method, calls = [], attribution = [] }: Modelled,
): string[] {
  const isSigned = outcome === 'signed';
  if (by === 'day') return [iso(decidedAt)];
  // What callers chose and no one signed is under one key.
  if (by === 'sender') return [isSigned || sender === undefined ? (sender ?? 'none') : 'other'];
  if (by === 'token') return [token ?? 'none'];
  if (by === 'outcome') return [outcome];
  if (by === 'total') return ['total'];
  if (by === 'via') return [method === 'relayUserOperation' ? 'relay' : 'paymaster'];
  if (by === 'attribution') return isSigned ? [...attribution] : [...new Set(attribution.map(() => 'other'))];
  if (by === 'relayedMethod' && method !== 'relayUserOperation') return [];
  const keys = calls.map(({ target, selector }) => (by === 'contract' ? target : `${target}:${selector ?? '0x'}`));
  if (keys.length === 0) return ['none'];
  return isSigned ? [...new Set(keys)] : ['other'];
}

/** What usage has to be, from the definitions alone. */
function model(
  by: UsageDimension,
  decisions: readonly Modelled[],
  holds: readonly TestHold[],
): Record<string, Omit<UsageRow, 'key'>> {
  const rows = new Map<string, { decisions: Record<DecisionOutcome, number> } & Omit<UsageRow, 'key' | 'decisions'>>();
  decisions.forEach((decision, index) => {
    if (decision.decidedAt < firstDay - (firstDay % day)) return;
    const later = decisions.slice(index + 1);
    const carriesCost =
      decision.outcome === 'signed' &&
      !later.some(({ outcome, nonce }) => outcome === 'signed' && nonce === decision.nonce);
    const { state, amount = 0n, charge = 0n, chargeUsd } = (carriesCost ? holds[decision.nonce] : undefined) ?? {};
    for (const key of keysOf(by, decision)) {
      const row = rows.get(key) ?? {
        decisions: { signed: 0, quoted: 0, stub: 0, refused: 0 },
        landed: 0,
        charge: 0n,
        usersPaid: 0n,
        chargeUsdMicros: 0n,
        unpriced: 0,
        held: 0n,
      };
      row.decisions[decision.outcome] += 1;
      rows.set(key, {
        decisions: row.decisions,
        landed: row.landed + (state === 'settled' ? 1 : 0),
        charge: row.charge + (state === 'settled' ? charge : 0n),
        usersPaid: 0n,
        chargeUsdMicros: row.chargeUsdMicros + BigInt(chargeUsd ?? 0),
        unpriced: row.unpriced + (state === 'settled' && chargeUsd === undefined ? 1 : 0),
        held: row.held + (state === 'live' ? amount : 0n),
      });
    }
  });
  if (by !== 'total') return Object.fromEntries(rows);
  const senders = Object.entries(model('sender', decisions, holds));
  const users = senders.filter(([key, { landed }]) => landed > 0 && key !== 'none').length;
  const costs = landedIn(decisions, holds).flatMap(({ chargeUsd }) => (chargeUsd === undefined ? [] : [chargeUsd]));
  const highest = costs.toSorted((one, other) => one - other)[Math.ceil((costs.length * 95) / 100) - 1];
  const costOf95 = highest === undefined ? {} : { costOf95PercentUsdMicros: BigInt(toTwoDigits(highest)) };
  return Object.fromEntries([...rows].map(([key, row]) => [key, { ...row, users, ...costOf95 }]));
}

/** The holds that landed, of those signed for on the days that are read. */
function landedIn(decisions: readonly Modelled[], holds: readonly TestHold[]): readonly TestHold[] {
  return holds.filter(({ state }, nonce) => {
    const last = decisions.findLast((decision) => decision.outcome === 'signed' && decision.nonce === nonce);
    return state === 'settled' && last !== undefined && last.decidedAt >= firstDay - (firstDay % day);
  });
}

/** A whole number rounded up to its first two digits. */
function toTwoDigits(number: number): string {
  const [two, rest] = [String(number).slice(0, 2), String(number).slice(2)];
  return `${Number(two) + (/[1-9]/.test(rest) ? 1 : 0)}${'0'.repeat(rest.length)}`;
}

function byKey(rows: readonly UsageRow[]) {
  return Object.fromEntries(rows.map(({ key, ...row }) => [key, row]));
}

describe('usage', () => {
  test('is what the definitions say, before and after any pruning', async () => {
    const property = fc.asyncProperty(
      fc.array(modelled, { maxLength: 40 }),
      fc.array(hold, { minLength: 6, maxLength: 6 }),
      fc.integer({ min: 1, max: 12 }),
      async (unordered, holds, keepDays) => {
        const decisions = unordered.toSorted((a, b) => a.decidedAt - b.decidedAt);
        await lab.close();
        lab = await openDecisionLab();
        const holdIds: number[] = [];
        for (const one of holds) holdIds.push(await lab.hold(one));
        for (const { nonce, ...decision } of decisions) {
          const holdId = decision.outcome === 'signed' ? holdIds[nonce] : undefined;
          await lab.add({ ...decision, ...(holdId === undefined ? {} : { holdId }) });
        }
        const asked = { from: iso(firstDay), until: iso(noon) };
        const expected = dimensions.map((by) => model(by, decisions, holds));
        const read = async () => {
          const answers = [];
          for (const by of dimensions) answers.push(byKey(accepted(await usage(by, asked))));
          return answers;
        };
        expect(await read()).toEqual(expected);
        await lab.sweep({ keepDays, keepMost: 1_000 });
        expect(await read()).toEqual(expected);
        // What was live is settled later and pruned later still.
        const ended = holds.map((one) => (one.state === 'live' ? { ...one, state: 'released' as const } : one));
        for (const [index, one] of ended.entries()) await lab.changeHold(holdIds[index] ?? 0, one);
        lab.clock.advance(40 * day);
        await lab.sweep({ keepDays: 1, keepMost: 1_000 });
        expect(await lab.store.db.selectFrom('decisions').select('decision_id').execute()).toEqual([]);
        expect(await read()).toEqual(dimensions.map((by) => model(by, decisions, ended)));
      },
    );
    await fc.assert(property, { numRuns: repeatsOfRun(8, 25), interruptAfterTimeLimit: 40_000 });
  }, 60_000);

  test('by apiKey names the newest apiKey of each key, with what is held, and puts ended keys together', async () => {
    const keys = { paymaster_id: lab.own.paymasterId, sealed: Buffer.from([1]), last_four: 'abcd', created_at: noon };
    await lab.store.db
      .insertInto('api_keys')
      .values([
        { ...keys, api_key_id: 'a'.repeat(36), digest: 'a'.repeat(64), key_number: 0, expires_at: noon + day },
        { ...keys, api_key_id: 'b'.repeat(36), digest: 'b'.repeat(64), key_number: 0, expires_at: null },
        { ...keys, api_key_id: 'c'.repeat(36), digest: 'c'.repeat(64), key_number: 1, expires_at: null },
      ])
      .execute();
    const settled = await lab.hold({ state: 'settled', amount: 9n, charge: 8n, chargeUsd: 3, success: true });
    const live = await lab.hold({ state: 'live', amount: 5n });
    await lab.add({ outcome: 'signed', holdId: settled });
    await lab.add({ outcome: 'signed', keyNumber: 1, holdId: live });
    for (const keyNumber of [1, 2, 3]) await lab.add({ outcome: 'refused', keyNumber });
    expect(byKey(accepted(await usage('apiKey')))).toMatchObject({
      ['b'.repeat(36)]: { decisions: { signed: 1, refused: 0 }, landed: 1, charge: 8n, chargeUsdMicros: 3n, held: 0n },
      ['c'.repeat(36)]: { decisions: { signed: 1, refused: 1 }, landed: 0, charge: 0n, held: 5n },
      other: { decisions: { signed: 0, refused: 2 }, landed: 0 },
    });
  });

  test('is the paymaster’s own', async () => {
    await lab.add({ paymasterId: lab.foreign.paymasterId, decidedAt: noon - 40 * day });
    await lab.add({ paymasterId: lab.foreign.paymasterId });
    await lab.sweep({ keepDays: 30, keepMost: 1_000 });
    expect(accepted(await usage('outcome', { from: '2026-11-01' }))).toEqual([]);
  });

  test('has the most costly row first', async () => {
    for (const [index, charge] of [5n, 10n ** 20n, 9n].entries()) {
      const holdId = await lab.hold({ state: 'settled', amount: charge, charge });
      await lab.add({ outcome: 'signed', sender: numberedAddress(index + 1), holdId });
    }
    await lab.add({ outcome: 'refused', sender: numberedAddress(9) });
    const rows = accepted(await usage('sender'));
    expect(rows.map(({ key }) => key)).toEqual([...[2, 3, 1].map(numberedAddress), 'other']);
  });

  test('in total has each sender once whose operations landed, without those that are counted together', async () => {
    const land = async (sender: number, decidedAt: number) => {
      const holdId = await lab.hold({ state: 'settled', amount: 2n, charge: 1n, success: true });
      await lab.add({ outcome: 'signed', sender: numberedAddress(sender), decidedAt, holdId });
    };
    for (const decidedAt of [noon - 2 * day, noon - day, noon]) await land(1, decidedAt);
    await land(2, noon);
    await lab.addMany(
      Array.from({ length: maxChosenUsageKeys }, (_, index) => {
        return { outcome: 'signed', sender: numberedAddress(100 + index), decidedAt: noon + 1 } as const;
      }),
    );
    // Behind the last key of its day.
    await land(3, noon + 2);
    const [total, ...others] = accepted(await usage('total'));
    expect(others).toEqual([]);
    expect(total).toMatchObject({ key: 'total', landed: 5, charge: 5n, users: 2 });
  });

  describe('by cost', () => {
    const land = async (chargeUsd: number | undefined, decidedAt = noon, charge = 10n) => {
      const priced = chargeUsd === undefined ? {} : { chargeUsd };
      const holdId = await lab.hold({ state: 'settled', amount: charge, charge, success: true, ...priced });
      await lab.add({
        outcome: 'signed',
        sender: numberedAddress(1),
        calls: [{ target: contracts[0] }],
        decidedAt,
        holdId,
      });
    };
    const total = async (days = {}) => accepted(await usage('total', days))[0];
    const landedByCost = async (days = {}) =>
      Object.fromEntries(accepted(await usage('cost', days)).map(({ key, landed }) => [key, landed]));

    test('puts operations of about the same cost into one row, rounded up to two digits', async () => {
      for (const micros of [0, 7, 99, 100, 101, 1_100_000, 1_100_001, 1_199_999, 9_900_001]) await land(micros);
      expect(await landedByCost()).toEqual({
        '0.00': 1,
        '0.000007': 1,
        '0.000099': 1,
        '0.0001': 1,
        '0.00011': 1,
        '1.10': 1,
        '1.20': 2,
        '10.00': 1,
      });
      const row = accepted(await usage('cost')).find(({ key }) => key === '1.20');
      expect(row).toEqual({
        key: '1.20',
        decisions: { signed: 0, quoted: 0, stub: 0, refused: 0 },
        landed: 2,
        charge: 20n,
        usersPaid: 0n,
        chargeUsdMicros: 2_300_000n,
        unpriced: 0,
        held: 0n,
      });
    });

    test('says what 95 of 100 cost at most, where exactly 95 do', async () => {
      for (let count = 0; count < 95; count += 1) await land(300_000);
      for (let count = 0; count < 5; count += 1) await land(4_000_000);
      expect(await total()).toMatchObject({ landed: 100, costOf95PercentUsdMicros: 300_000n });
      await land(4_000_000);
      expect(await total()).toMatchObject({ landed: 101, costOf95PercentUsdMicros: 4_000_000n });
    });

    test('adds up the days of a month, and no others', async () => {
      for (const [days, micros] of [
        [40, 90_000_000],
        [29, 500_000],
        [10, 700_000],
        [0, 500_000],
      ] as const) {
        await land(micros, noon - days * day);
      }
      expect(await landedByCost()).toEqual({ '0.50': 2, '0.70': 1 });
      expect(await total()).toMatchObject({ landed: 3, costOf95PercentUsdMicros: 700_000n });
      const today = { from: '2027-01-15', until: '2027-01-15' };
      expect(await total(today)).toMatchObject({ landed: 1, costOf95PercentUsdMicros: 500_000n });
    });

    test('leaves out operations without a price, and says nothing where there are no others', async () => {
      await land(undefined);
      expect(await total()).toMatchObject({ landed: 1, unpriced: 1 });
      expect(await total()).not.toHaveProperty('costOf95PercentUsdMicros');
      expect(await landedByCost()).toEqual({});
      await land(200_000);
      expect(await total()).toMatchObject({ landed: 2, unpriced: 1, costOf95PercentUsdMicros: 200_000n });
    });

    test('says nothing of operations that are still open', async () => {
      const holdId = await lab.hold({ state: 'live', amount: 5n });
      await lab.add({ outcome: 'signed', sender: numberedAddress(1), holdId });
      expect(await landedByCost()).toEqual({});
      expect(await total()).not.toHaveProperty('costOf95PercentUsdMicros');
    });

    test('takes an operation that leaves the chain off the row that it was in, and counts it again when it lands again', async () => {
      await land(1_150_000);
      await land(200_000);
      expect(await landedByCost()).toEqual({ '1.20': 1, '0.20': 1 });
      const { db } = lab.store;
      const { entry_id: reverses, ...entry } = await db
        .selectFrom('journal')
        .selectAll()
        .where('usd_micros', '=', 1_150_000)
        .executeTakeFirstOrThrow();
      // The clock has gone on to another day.
      const tomorrow = noon + day;
      await db
        .insertInto('journal')
        .values({ ...entry, reverses, reversal: 1, created_at: tomorrow })
        .execute();
      expect(await landedByCost()).toEqual({ '0.20': 1 });
      expect(await total()).toMatchObject({ landed: 1, costOf95PercentUsdMicros: 200_000n });
      await db
        .insertInto('journal')
        .values({ ...entry, created_at: tomorrow, usd_micros: 1_210_000, log_index: 99 })
        .execute();
      expect(await landedByCost()).toEqual({ '0.20': 1, '1.30': 1 });
    });

    test('is kept when the decisions are deleted', async () => {
      await land(300_000);
      await total();
      lab.clock.advance(40 * day);
      await lab.sweep({ keepDays: 30, keepMost: 1_000 });
      expect(await lab.store.db.selectFrom('decisions').select('decision_id').execute()).toEqual([]);
      const range = { from: '2027-01-15', until: '2027-01-15' };
      expect(await total(range)).toMatchObject({ costOf95PercentUsdMicros: 300_000n });
    });
  });

  test('has the relayed part of each method, with what is held', async () => {
    const claim = { target: contracts[0], selector: '0xaaaaaaaa' } as const;
    const redeem = { target: contracts[0], selector: '0xbbbbbbbb' } as const;
    for (const [method, called, chargeUsd] of [
      ['sponsorUserOperation', claim, 310_000],
      ['relayUserOperation', claim, 270_000],
      ['sponsorUserOperation', redeem, 890_000],
    ] as const) {
      const holdId = await lab.hold({ state: 'settled', amount: 9n, charge: 8n, chargeUsd, success: true });
      await lab.add({ outcome: 'signed', method, sender: numberedAddress(1), calls: [called], listed: 'm', holdId });
    }
    const live = await lab.hold({ state: 'live', amount: 5n });
    await lab.add({ outcome: 'signed', method: 'relayUserOperation', calls: [claim], listed: 'm', holdId: live });
    const key = `${contracts[0]}:0xaaaaaaaa`;
    const relayed = byKey(accepted(await usage('relayedMethod')));
    expect(Object.keys(relayed)).toEqual([key]);
    expect(relayed[key]).toMatchObject({ decisions: { signed: 2 }, landed: 1, chargeUsdMicros: 270_000n, held: 5n });
    const methods = byKey(accepted(await usage('method')));
    expect(methods[key]).toMatchObject({ decisions: { signed: 3 }, landed: 2, chargeUsdMicros: 580_000n, held: 5n });
  });

  test(`has at most ${maxUsageRows} rows, and not the cheapest`, async () => {
    const holdId = await lab.hold({ state: 'live', amount: 1n });
    const some = (decidedAt: number, first: number) =>
      Array.from({ length: maxUsageRows / 2 + 50 }, (_, index) => {
        return { decidedAt, outcome: 'signed' as const, sender: numberedAddress(first + index) };
      });
    await lab.addMany([...some(noon - day, 1), ...some(noon, 10_001)]);
    await lab.add({ outcome: 'signed', sender: numberedAddress(0xffff), holdId });
    const rows = accepted(await usage('sender'));
    expect(rows).toHaveLength(maxUsageRows);
    expect(rows[0]?.key).toBe(numberedAddress(0xffff));
  });

  test('is of the last 30 days when nothing is said, whole days of UTC', async () => {
    const midnight = noon - day / 2;
    for (const decidedAt of [midnight - 29 * day - 1, midnight - 29 * day, midnight + day - 1, midnight + day]) {
      await lab.add({ decidedAt });
    }
    expect(accepted(await usage('day')).map(({ key }) => key)).toEqual(['2026-12-17', '2027-01-15']);
    expect(accepted(await usage('day', { until: '2026-12-16' })).map(({ key }) => key)).toEqual(['2026-12-16']);
    expect(accepted(await usage('day', { from: '2027-01-15', until: '2027-01-16' })).map(({ key }) => key)).toEqual([
      '2027-01-15',
      '2027-01-16',
    ]);
  });

  test.each([
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2026-02-30' }, 'from'],
    [{ until: '2026-1-1' }, 'until'],
    [{ from: '2027-01-02', until: '2027-01-01' }, 'until'],
    [{ from: '2026-01-01', until: '2027-01-02' }, 'from'],
  ])('of %o is refused', async (days, field) => {
    expect(await usage('day', days)).toMatchObject({ ok: false, refusal: { reason: 'INVALID_FIELD', field } });
  });

  test('of 366 days is answered', async () => {
    expect(accepted(await usage('day', { from: '2026-01-01', until: '2027-01-01' }))).toEqual([]);
  });

  test('takes nothing off a signature that never had the cost, and goes on counting', async () => {
    const [first, second] = contracts;
    const holdId = await lab.hold({ state: 'live', amount: 9n });
    await lab.add({ outcome: 'signed', calls: [{ target: first }], holdId });
    const nobodySigned = await lab.add({ outcome: 'signed', calls: [{ target: second }], holdId });
    await lab.changeHold(holdId, { state: 'settled', amount: 9n, charge: 8n, chargeUsd: 3, success: true });
    // Counted under the second one, which turns out to be none before the operation leaves the chain.
    await usage('contract');
    const { db } = lab.store;
    await db.updateTable('decisions').set({ outcome: 'refused' }).where('decision_id', '=', nobodySigned).execute();
    const { entry_id: reverses, ...row } = await db.selectFrom('journal').selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto('journal')
      .values({ ...row, reverses, reversal: 1 })
      .execute();
    await lab.add({ outcome: 'signed', calls: [{ target: first }] });
    const rows = byKey(accepted(await usage('contract')));
    expect(rows[first ?? '']).toMatchObject({ decisions: { signed: 2 }, landed: 0, charge: 0n, chargeUsdMicros: 0n });
  });

  test('has the cost of an operation under the signature before, where the last one turns out to be none', async () => {
    const [first, second] = contracts;
    const holdId = await lab.hold({ state: 'live', amount: 9n });
    await lab.add({ outcome: 'signed', calls: [{ target: first }], holdId });
    const nobodySigned = await lab.add({ outcome: 'signed', calls: [{ target: second }], holdId });
    await lab.changeHold(holdId, { state: 'settled', amount: 9n, charge: 8n, chargeUsd: 3, success: true });
    const row = await lab.store.db
      .selectFrom('decisions')
      .selectAll()
      .where('decision_id', '=', nobodySigned)
      .executeTakeFirstOrThrow();
    const recorder = createDecisionRecorder(lab.store, silentLogger, lab.clock);
    const again = { ...row, outcome: 'refused', reason: 'SIGNER_UNAVAILABLE' } as const;
    recorder.add(again);
    await recorder.flush();
    // Written a second time, after a commit whose answer was lost.
    recorder.add(again);
    await recorder.flush();
    const none = { signed: 0, quoted: 0, stub: 0, refused: 0 };
    expect(accepted(await usage('contract'))).toEqual([
      {
        key: first,
        decisions: { ...none, signed: 1 },
        landed: 1,
        charge: 8n,
        usersPaid: 0n,
        chargeUsdMicros: 3n,
        unpriced: 0,
        held: 0n,
      },
      {
        // No one signed for it.
        key: 'other',
        decisions: { ...none, refused: 1 },
        landed: 0,
        charge: 0n,
        usersPaid: 0n,
        chargeUsdMicros: 0n,
        unpriced: 0,
        held: 0n,
      },
    ]);
  });

  describe('of what callers choose', () => {
    const chosen = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        return {
          outcome: 'signed' as const,
          sender: numberedAddress(first + index),
          calls: [{ target: contracts[0] }],
        };
      });

    test('has no rows of its own for what no one signed, except registered contracts and whitelisted methods', async () => {
      const [first, second] = contracts;
      const calls = [
        { target: first, selector: '0xaaaaaaaa' },
        { target: first, selector: '0xbbbbbbbb' },
        { target: second, selector: '0xaaaaaaaa' },
      ] as const;
      for (const outcome of ['refused', 'stub', 'quoted'] as const) {
        await lab.add({ outcome, sender: numberedAddress(1), calls, listed: 'mc-', attribution: ['baseapp'] });
      }
      const keys = async (by: UsageDimension) => accepted(await usage(by)).map(({ key }) => key);
      expect(await keys('sender')).toEqual(['other']);
      expect(await keys('attribution')).toEqual(['other']);
      expect((await keys('contract')).toSorted()).toEqual([first, 'other']);
      expect((await keys('method')).toSorted()).toEqual([`${first}:0xaaaaaaaa`, 'other']);
    });

    test(`has ${maxChosenUsageKeys} keys a day, and the rest under one, with its cost and what is held`, async () => {
      await lab.addMany(chosen(1, maxChosenUsageKeys));
      const settled = await lab.hold({ state: 'live', amount: 9n });
      const live = await lab.hold({ state: 'live', amount: 5n });
      await lab.add({ outcome: 'signed', sender: numberedAddress(50_001), holdId: settled });
      await lab.add({ outcome: 'signed', sender: numberedAddress(50_002), holdId: live });
      const senders = async () => byKey(accepted(await usage('sender')));
      // The contract of all of them and its method are keys, too: two senders had no room, and these two.
      expect(await senders()).toMatchObject({ other: { decisions: { signed: 4 }, held: 14n } });
      await lab.changeHold(settled, { state: 'settled', amount: 9n, charge: 8n, success: true });
      const rows = await senders();
      expect(rows).toMatchObject({ other: { decisions: { signed: 4 }, landed: 1, charge: 8n, held: 5n } });
      expect(Object.keys(rows)).toHaveLength(maxChosenUsageKeys - 2 + 1);
      const [all] = accepted(await usage('day'));
      expect(all).toMatchObject({ decisions: { signed: maxChosenUsageKeys + 2 }, landed: 1, charge: 8n });
      // The next day has room again.
      lab.clock.advance(day);
      await lab.add({ outcome: 'signed', sender: numberedAddress(50_003) });
      const tomorrow = { from: '2027-01-16', until: '2027-01-16' };
      expect(accepted(await usage('sender', tomorrow)).map(({ key }) => key)).toEqual([numberedAddress(50_003)]);
    });

    test('has a relayed method under its own key where the method is, also behind the last key of a day', async () => {
      const relay = async (selector: Hex) => {
        const calls = [{ target: contracts[0] ?? '0x', selector }];
        await lab.add({ outcome: 'signed', method: 'relayUserOperation', sender: numberedAddress(1), calls });
      };
      await lab.add({
        outcome: 'signed',
        sender: numberedAddress(1),
        calls: [{ target: contracts[0], selector: '0xaaaaaaaa' }],
      });
      await lab.addMany(chosen(2, maxChosenUsageKeys));
      await relay('0xaaaaaaaa');
      await relay('0xbbbbbbbb');
      const signed = async (by: UsageDimension) =>
        Object.fromEntries(accepted(await usage(by)).map(({ key, decisions }) => [key, decisions.signed]));
      expect(await signed('relayedMethod')).toEqual({ [`${contracts[0]}:0xaaaaaaaa`]: 1, other: 1 });
      expect(await signed('method')).toMatchObject({ [`${contracts[0]}:0xaaaaaaaa`]: 2 });
    });

    test(`is kept for ${keptUsageDays} days`, async () => {
      await lab.add({ outcome: 'signed', sender: numberedAddress(1) });
      const range = { from: '2027-01-15', until: '2027-01-15' };
      for (const [days, rows] of [
        [keptUsageDays - 1, 1],
        [1, 0],
      ] as const) {
        lab.clock.advance(days * day);
        await lab.sweep({ keepDays: 30, keepMost: 1_000 });
        for (const by of ['day', 'sender'] as const) expect(accepted(await usage(by, range))).toHaveLength(rows);
      }
      expect(await lab.store.db.selectFrom('usage_sums').select('key').execute()).toEqual([]);
    });
  });

  describe('by hour', () => {
    test('has what was decided, cost and held in each hour, and adds up to its day', async () => {
      const settled = await lab.hold({ state: 'settled', amount: 9n, charge: 8n, chargeUsd: 3, success: true });
      const open = await lab.hold({ state: 'live', amount: 5n });
      await lab.add({ decidedAt: noon - 1, outcome: 'signed', holdId: settled });
      await lab.add({ decidedAt: noon, outcome: 'signed', holdId: open });
      await lab.add({ decidedAt: noon + 3_599, outcome: 'refused' });
      await lab.add({ decidedAt: noon - day, outcome: 'refused' });
      const rows = byKey(accepted(await usage('hour')));
      expect(rows).toMatchObject({
        '2027-01-15T11:00Z': { decisions: { signed: 1 }, landed: 1, charge: 8n, chargeUsdMicros: 3n, held: 0n },
        '2027-01-15T12:00Z': { decisions: { signed: 1, refused: 1 }, landed: 0, held: 5n },
        '2027-01-14T12:00Z': { decisions: { refused: 1 } },
      });
      expect(Object.keys(rows)).toHaveLength(3);
      const [today] = accepted(await usage('day', { from: '2027-01-15', until: '2027-01-15' }));
      expect(today).toMatchObject({ decisions: { signed: 2, refused: 1 }, landed: 1, charge: 8n, held: 5n });
    });

    test('is answered for eight days at most', async () => {
      expect(await usage('hour', { from: '2027-01-07', until: '2027-01-15' })).toMatchObject({
        refusal: { reason: 'INVALID_FIELD', field: 'from', message: expect.stringContaining('7 days') },
      });
      expect(accepted(await usage('hour', { from: '2027-01-08', until: '2027-01-15' }))).toEqual([]);
    });

    test('is pruned once no one can ask for it, and its day stays', async () => {
      await lab.add({ outcome: 'refused' });
      lab.clock.advance(8 * day);
      await lab.sweep({ keepDays: 30, keepMost: 1_000 });
      const range = { from: '2027-01-15', until: '2027-01-15' };
      expect(accepted(await usage('hour', range))).toHaveLength(1);
      lab.clock.advance(3 * day);
      await lab.sweep({ keepDays: 30, keepMost: 1_000 });
      expect(accepted(await usage('hour', range))).toEqual([]);
      expect(accepted(await usage('day', range))).toHaveLength(1);
    });
  });

  test('is right at every moment of pruning', async () => {
    const decisions = 3_000;
    await lab.addMany(Array.from({ length: decisions }, () => ({ decidedAt: noon - 40 * day })));
    const days = { from: iso(noon - 40 * day), until: iso(noon) };
    const { store } = lab;
    while (!(await countDecisions(store)).done);
    const prune = (after: number) => pruneDecisions(store, { keepDays: 30, now: noon, after });
    const counts: (number | undefined)[] = [];
    for (let after = 0, done = false; !done; ) {
      const [step, ...answers] = await Promise.all([prune(after), usage('outcome', days), usage('outcome', days)]);
      for (const answer of answers) counts.push(accepted(answer)[0]?.decisions.refused);
      ({ after, done } = step);
    }
    expect(counts.length).toBeGreaterThan(3);
    expect(new Set(counts)).toEqual(new Set([decisions]));
    expect(await store.db.selectFrom('decisions').select('decision_id').execute()).toEqual([]);
  });
});
