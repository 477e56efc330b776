import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultPageSize, maxOverviewDecisions, maxOverviewReasons } from '../../contract/limits.ts';
import { defaultPolicy, type PolicyLimit } from '../../core/domain/policy.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import { accepted } from '../../server/accepted.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { type DecisionLab, day, noon, openDecisionLab } from './decision-lab.ts';

let lab: DecisionLab;
beforeEach(async () => {
  lab = await openDecisionLab();
});
afterEach(() => lab.close());

async function overview(cursor?: string) {
  const { accountId } = lab.own;
  return accepted(await lab.reading.getOverview({ accountId, ...(cursor === undefined ? {} : { cursor }) }));
}

test('shows of every paymaster what its own pages show, and nothing of another account', async () => {
  const { own, foreign } = lab;
  const paymasterId = await lab.addPaymasterTo(own.accountId);
  const settled = await lab.hold({
    state: 'settled',
    amount: 9n,
    charge: 10n ** 30n,
    chargeUsd: 400_000_000,
    success: true,
  });
  const sender = numberedAddress(1);
  const [, before, signed, refused] = await lab.addMany([
    { decidedAt: noon - 60 * day, outcome: 'refused', reason: 'BEFORE_BOTH_PERIODS' },
    { decidedAt: noon - 29 * day, outcome: 'refused', reason: 'POLICY_LIMIT' },
    { outcome: 'signed', mode: 'SPONSORED', sender, holdId: settled },
    { paymasterId, outcome: 'refused', reason: 'LIMIT_EXCEEDED' },
    { decidedAt: noon - 30 * day, paymasterId, outcome: 'refused', reason: 'TOO_OLD' },
    { paymasterId: foreign.paymasterId, outcome: 'refused', reason: 'OF_ANOTHER' },
  ]);
  const { paymasters, recent, nextCursor } = await overview();
  expect(nextCursor).toBeUndefined();
  for (const each of paymasters) {
    const owned = { ...own, paymasterId: each.paymasterId };
    const from = new Date((noon - 59 * day) * 1_000).toISOString().slice(0, 10);
    const usage = accepted(await lab.reading.getUsage({ ...owned, by: 'day', from }));
    const days = usage.map(({ key, decisions, landed, charge, chargeUsdMicros, unpriced, usersPaid }) => ({
      day: key,
      signed: decisions.signed,
      refused: decisions.refused,
      landed,
      charge,
      chargeUsdMicros,
      unpriced,
      usersPaid,
    }));
    expect(each.days).toEqual(days.toSorted((one, other) => (one.day < other.day ? -1 : 1)));
  }
  expect(paymasters.map((each) => [each.paymasterId, each.days.length, each.refusals])).toEqual([
    [own.paymasterId, 2, [{ reason: 'POLICY_LIMIT', count: 1, today: 0 }]],
    [paymasterId, 2, [{ reason: 'LIMIT_EXCEEDED', count: 1, today: 1 }]],
  ]);
  // Half more than the 400 USD of the most expensive day is 600, and the next round number 1,000.
  expect(paymasters.map((each) => each.suggestedDailyUsdMicros)).toEqual([1_000_000_000n, 50_000_000n]);
  expect(recent.map(({ decisionId }) => decisionId).slice(0, 3)).toEqual([refused, signed, before]);
  const { facts, trace, requestJson, tokenOffers, ...whole } = accepted(
    await lab.reading.getDecision({ ...own, decisionId: signed ?? '' }),
  );
  const [first] = facts?.calls ?? [];
  const firstCall = first && { target: first.target, selector: first.selector, count: facts?.calls.length };
  expect(recent[1]).toEqual({ ...whole, paymasterId: own.paymasterId, ...(first === undefined ? {} : { firstCall }) });
});

test('counts refusals among the last requests, and keeps to the last decisions of all paymasters', async () => {
  const paymasterId = await lab.addPaymasterTo(lab.own.accountId);
  await lab.add({ outcome: 'refused', reason: 'FORGOTTEN' });
  await lab.addMany(
    Array.from({ length: maxOverviewReasons }, (_, index) => ({
      outcome: index % 4 === 0 ? ('refused' as const) : ('quoted' as const),
      ...(index % 4 === 0 ? { reason: 'LIMIT_EXCEEDED' } : {}),
    })),
  );
  const last = await lab.add({ paymasterId, outcome: 'quoted' });
  const { paymasters, recent } = await overview();
  expect(paymasters.map(({ refusals }) => refusals)).toEqual([
    [{ reason: 'LIMIT_EXCEEDED', count: maxOverviewReasons / 4, today: maxOverviewReasons / 4 }],
    [],
  ]);
  expect([recent.length, recent[0]?.decisionId]).toEqual([maxOverviewDecisions, last]);
});

test('leads from page to page, and leaves out what is retired', async () => {
  const { accountId, paymasterId } = lab.own;
  const others: string[] = [];
  for (let count = 0; count < defaultPageSize; count += 1) others.push(await lab.addPaymasterTo(accountId));
  const ids = async (cursor?: string) => (await overview(cursor)).paymasters.map((each) => each.paymasterId);
  const { nextCursor } = await overview();
  expect(await ids()).toEqual([paymasterId, ...others.slice(0, -1)]);
  expect(await ids(nextCursor)).toEqual(others.slice(-1));
  await lab.store.db
    .updateTable('paymasters')
    .set({ retired_at: noon })
    .where('paymaster_id', '=', paymasterId)
    .execute();
  expect(await ids()).toEqual(others);
  expect((await overview()).nextCursor).toBeUndefined();
  const refused = await lab.reading.getOverview({ accountId, cursor: 'x' });
  expect(refused.ok ? undefined : refused.refusal.reason).toBe('INVALID_FIELD');
});

test('says whether strangers can spend the whole tank: by a policy that requests can choose, and without a budget', async () => {
  const { accountId, paymasterId } = lab.own;
  const { db } = lab.store;
  const bounded = async () => (await overview()).paymasters[0]?.bounded;
  const suggested = async () => (await overview()).paymasters[0]?.suggestedDailyUsdMicros;
  const limit = { per: 'total', window: 'day', unit: 'wei', max: 5n } as const;
  const policyOf = (...limits: readonly PolicyLimit[]) => policyText({ ...defaultPolicy, limits });
  const setDefault = (policy: string) =>
    db
      .insertInto('policies')
      .values({ paymaster_id: paymasterId, policy, updated_at: noon })
      .onConflict((conflict) => conflict.column('paymaster_id').doUpdateSet({ policy }))
      .execute();
  expect(await bounded()).toBe(false);
  expect(await suggested()).toBe(50_000_000n);
  await setDefault(policyOf({ ...limit, per: 'sender' }));
  expect(await bounded()).toBe(false);
  await setDefault(policyOf({ ...limit, contract: numberedAddress(7) }));
  expect(await bounded()).toBe(false);
  await setDefault(policyOf({ ...limit, per: 'sender' }, limit));
  expect(await bounded()).toBe(true);
  expect(await suggested()).toBeUndefined();
  const named = {
    paymaster_id: paymasterId,
    policy_id: 'sp_1',
    name: 'other',
    policy: policyOf(),
    enabled: 1,
  } as const;
  await db
    .insertInto('named_policies')
    .values({ ...named, created_at: noon, updated_at: noon })
    .execute();
  expect(await bounded()).toBe(false);
  await db.updateTable('named_policies').set({ enabled: 0 }).execute();
  expect(await bounded()).toBe(true);
  await db.updateTable('named_policies').set({ enabled: 1 }).execute();
  const budget = {
    budget_id: 'b',
    account_id: accountId,
    name: 'all',
    max_usd_micros: 1,
    span: 'month',
    limit_id: 1,
  } as const;
  const other = await lab.addPaymasterTo(accountId);
  await db
    .insertInto('budgets')
    .values({ ...budget, paymaster_ids: other, created_at: noon, updated_at: noon })
    .execute();
  expect((await overview()).paymasters.map((each) => each.bounded)).toEqual([false, true]);
  await db
    .updateTable('budgets')
    .set({ paymaster_ids: `${other} ${paymasterId}` })
    .execute();
  expect(await bounded()).toBe(true);
  await db.updateTable('budgets').set({ paymaster_ids: null }).execute();
  expect(await bounded()).toBe(true);
});
