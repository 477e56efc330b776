import { afterAll, beforeAll, expect, test } from 'vitest';
import { countCapRefusals, selectLimitRefusals } from '../../core/decisions/cap-refusals.ts';
import { encodeDecisionRecord } from '../../core/decisions/decision-record.ts';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import { selectUncapped } from '../../core/policies/uncapped-paymasters.ts';
import { type DecisionLab, day, noon, openDecisionLab } from './decision-lab.ts';

let lab: DecisionLab;
beforeAll(async () => {
  lab = await openDecisionLab();
});
afterAll(() => lab.close());

const usdMicrosPerCoin = 2_000_000_000n;

async function refuse(rule: 'policy-cost' | 'limit-total-day-wei', worstCase: bigint, decidedAt = noon) {
  const decisionId = await lab.add({ outcome: 'refused', reason: 'LIMIT_EXCEEDED', decidedAt });
  const facts = { calls: [], deploysOnly: false, maxFeePerGas: 1n, worstCase, usdMicrosPerCoin };
  const finding =
    rule === 'policy-cost'
      ? (['policy-cost', worstCase, undefined, 1n, undefined] as const)
      : (['limit', 'total', 'day', 'wei', 1n, 1n, worstCase] as const);
  const columns = encodeDecisionRecord({ facts, trace: [{ rule, finding, remedy: 'Raise it.' }] });
  await lab.store.db.updateTable('decisions').set(columns).where('decision_id', '=', decisionId).execute();
}

async function setPolicy(caps: Pick<Policy, 'maxCostWei' | 'maxCostUsdMicros'>) {
  const policy = policyText({ ...defaultPolicy, ...caps });
  const { paymasterId } = lab.own;
  await lab.store.db
    .insertInto('policies')
    .values({ paymaster_id: paymasterId, policy, updated_at: noon })
    .onConflict((conflict) => conflict.column('paymaster_id').doUpdateSet({ policy }))
    .execute();
}

const counted = async () => countCapRefusals(await selectLimitRefusals(lab.store.db, noon - day).execute());

test('what a cap refused in the last day is counted until the cap is high enough', async () => {
  await setPolicy({ maxCostWei: 1_000n });
  await refuse('policy-cost', 5_000n);
  await refuse('policy-cost', 3_000n);
  await refuse('policy-cost', 9_000n, noon - 2 * day);
  await refuse('limit-total-day-wei', 9_000n);
  const name = lab.own.paymasterId;
  expect(await counted()).toEqual([{ name, policyId: '', count: 2, wei: 5_000n }]);
  await setPolicy({ maxCostWei: 4_000n });
  expect(await counted()).toEqual([{ name, policyId: '', count: 1, wei: 5_000n }]);
  await setPolicy({ maxCostWei: 5_000n });
  expect(await counted()).toEqual([]);
});

test('a cap in USD counts what the operation was worth, rounded up', async () => {
  await setPolicy({ maxCostUsdMicros: 1_000n });
  await refuse('policy-cost', 600_000_000_001n);
  // 600,000,000,001 wei at 2,000 USD for 10^18 wei.
  expect(await counted()).toEqual([{ name: lab.own.paymasterId, policyId: '', count: 1, usdMicros: 1_201n }]);
});

test('a paymaster is uncapped without a policy, and with one that has no cap', async () => {
  const uncapped = async () => {
    const rows = await selectUncapped(lab.store.db).select('paymasters.name').execute();
    return rows.map(({ name }) => name).toSorted();
  };
  await setPolicy({ maxCostUsdMicros: 1_000n });
  expect(await uncapped()).toEqual([lab.foreign.paymasterId]);
  await setPolicy({});
  expect(await uncapped()).toEqual([lab.own.paymasterId, lab.foreign.paymasterId].toSorted());
});
