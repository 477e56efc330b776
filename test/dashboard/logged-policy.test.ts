import { expect, test } from 'vitest';
import { changedFields, policyOfLog, takeBack } from '../../clients/dashboard/pages/policy/logged-policy.ts';
import { toDomain } from '../../contract/fields/form.ts';
import { PolicyRequestSchema } from '../../contract/policy-fields.ts';
import type { Policy } from '../../core/domain/policy.ts';
import { policyFacts } from '../../core/management/audit-log/row-facts.ts';
import { policyText } from '../../core/policies/policy-text.ts';

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

test.each([
  {},
  {
    maxCostPerOperation: { wei: '10', usd: '0.50' },
    maxFeePerGas: '5000000000',
    maxGasPerOperation: 900_000,
    allowedSenders: [contract],
    tokens: { enabled: true, allowed: [contract] },
    pauses: [{ days: ['SUN'], from: '02:00', until: '04:00' }],
    limits: [
      { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '70.00' },
      { per: 'SENDER', window: 'EVER', unit: 'OPERATIONS', max: '3', contract, method: 'mint' },
    ],
    callRules: [{ contract, method: 'mint', where: [{ argument: 'to', is: 'msg.sender' }] }],
    methodGas: [{ contract, maxCallGas: 90_000 }],
    relay: 'PREFER',
    userPaysPercent: 50,
    notAfter: 1_800_000_000,
  },
])('a policy of the audit log is the one that the API took: %j', (given) => {
  const policy = PolicyRequestSchema.parse(given);
  const logged = policyFacts(policyText(toDomain(PolicyRequestSchema, policy) as Policy));
  expect(policyOfLog(logged)).toEqual(policy);
});

test('what is no policy has no fields', () => {
  for (const object of [undefined, { unreadable: 'x' }, { limits: '[{"max":"many"}]' }])
    expect(policyOfLog(object)).toEqual({});
});

test('a change is taken back without what was changed since, also of one of two caps', () => {
  const change = {
    before: { maxCostPerOperation: { usd: '1.00' } },
    after: { maxCostPerOperation: {}, relay: 'ONLY' },
  };
  expect(changedFields(change)).toEqual(['maxCostPerOperation', 'relay']);
  const draft = { maxCostPerOperation: { wei: '7' }, relay: 'ONLY', accounts: 'ANY' };
  expect(takeBack(draft, change)).toEqual({ maxCostPerOperation: { wei: '7', usd: '1.00' }, accounts: 'ANY' });
});
