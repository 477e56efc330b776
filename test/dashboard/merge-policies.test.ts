import { expect, test } from 'vitest';
import { mergePolicies, policyOfRule } from '../../clients/dashboard/pages/policy/merge-policies.ts';

const perDay = { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '10' };
const total = { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '50.00' };
const [alice, bob, carol] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);
const was = {
  accounts: 'KNOWN',
  maxCostPerOperation: { usd: '2.50' },
  limits: [perDay],
  blockedSenders: [alice],
  allowedSenders: undefined,
};

test('what only one of two has changed is as they left it, also in one list and in one group', () => {
  const { policy, rules } = mergePolicies(
    {
      was,
      mine: { ...was, maxCostPerOperation: { usd: '0.50' }, limits: [perDay, total], blockedSenders: [alice, bob] },
      theirs: {
        ...was,
        maxCostPerOperation: { usd: '2.50', wei: '7' },
        limits: [{ ...perDay, max: '5' }],
        blockedSenders: [carol],
      },
    },
    {},
  );
  expect(policy).toEqual({
    accounts: 'KNOWN',
    maxCostPerOperation: { usd: '0.50', wei: '7' },
    limits: [{ ...perDay, max: '5' }, total],
    blockedSenders: [carol, bob],
  });
  expect(rules.filter(({ changedBy }) => changedBy === 'both')).toEqual([]);
  expect(rules.filter(({ changedBy }) => changedBy === 'me').map(({ mine }) => mine)).toEqual(['0.50', total, bob]);
});

test('one’s own value counts of a rule that both have changed, or theirs where that was chosen', () => {
  const versions = {
    was,
    mine: { ...was, limits: [{ ...perDay, max: '3' }], accounts: 'ANY' },
    theirs: { ...was, limits: [{ ...perDay, max: '7' }], accounts: 'ANY' },
  };
  const { policy, rules } = mergePolicies(versions, {});
  const [conflict, ...others] = rules.filter(({ changedBy }) => changedBy === 'both');
  expect(others).toEqual([]);
  expect(conflict).toMatchObject({ was: perDay, mine: { max: '3' }, theirs: { max: '7' } });
  expect(policy.limits).toEqual([{ ...perDay, max: '3' }]);
  const chosen = mergePolicies(versions, { [conflict?.id ?? '']: 'theirs' });
  expect(chosen.policy.limits).toEqual([{ ...perDay, max: '7' }]);
});

test('a limit that one has removed and the other has changed is asked about', () => {
  const versions = { was, mine: { ...was, limits: [] }, theirs: { ...was, limits: [{ ...perDay, max: '7' }] } };
  const { policy, rules } = mergePolicies(versions, {});
  expect(rules).toMatchObject([{ changedBy: 'both', mine: undefined }]);
  expect(policy.limits).toEqual([]);
  expect(mergePolicies(versions, { [rules[0]?.id ?? '']: 'theirs' }).policy.limits).toEqual(versions.theirs.limits);
});

test('a list that one made and the other removed is one rule: an absent list is no empty one', () => {
  const versions = {
    was: { ...was, allowedSenders: [alice] },
    mine: was,
    theirs: { ...was, allowedSenders: [alice, bob] },
  };
  const { policy, rules } = mergePolicies(versions, {});
  expect(rules).toMatchObject([{ id: 'allowedSenders', changedBy: 'both', mine: undefined }]);
  expect(policy.allowedSenders).toBeUndefined();
});

test('a rule alone is a policy that can be told', () => {
  expect(policyOfRule({ path: ['maxCostPerOperation', 'usd'], isItem: false }, '0.50')).toEqual({
    maxCostPerOperation: { usd: '0.50' },
  });
  expect(policyOfRule({ path: ['limits'], isItem: true }, perDay)).toEqual({ limits: [perDay] });
});
