import { expect, test } from 'vitest';
import { withUnit } from '../../clients/dashboard/pages/policy/amount-text.ts';
import { describePolicy } from '../../clients/dashboard/pages/policy/describe-policy.ts';
import { policySchema, withoutEmpty } from '../../clients/dashboard/pages/policy/field-schema.ts';
import { policyTemplates, withTemplate } from '../../clients/dashboard/pages/policy/policy-templates.ts';
import type { PolicyItem } from '../../contract/policy.ts';
import { PolicyRequestSchema } from '../../contract/policy-fields.ts';

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const limit = { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '5' } as const;
const policy = PolicyRequestSchema.parse({
  limits: [limit, { ...limit, contract }, { ...limit, contract, method: 'mint(address)' }],
});

const names = { chainId: 8453, nameOf: (address: string) => address };

test('the form has a field for contract and method of a limit, which need not be there', () => {
  const { properties, required } = policySchema.properties?.limits?.items ?? {};
  expect(Object.keys(properties ?? {})).toEqual(['per', 'window', 'unit', 'max', 'contract', 'method']);
  expect(required).toEqual(['per', 'window', 'unit', 'max']);
});

test('what the form was given is what it saves, and a field that was emptied is left out', () => {
  expect(PolicyRequestSchema.parse(withoutEmpty(policy, policySchema))).toEqual(policy);
  const emptied = { ...policy, limits: policy.limits.map((one) => ({ ...one, contract: '', method: '' })) };
  expect(PolicyRequestSchema.parse(withoutEmpty(emptied, policySchema)).limits).toEqual([limit, limit, limit]);
});

test.each([
  ['OPERATIONS', '0.002', 'WEI', '2000000000000000'],
  ['WEI', '2000000000000000', 'USD', '0.002'],
  ['USD', '5', 'OPERATIONS', '5'],
  ['USD', undefined, 'WEI', undefined],
])('a limit keeps the typed number: %s %s in %s is %s', (unit, max, next, expected) => {
  expect(withUnit({ ...limit, unit, max }, next)).toEqual({ ...limit, unit: next, max: expected });
});

test('a limit of a method is told as one', () => {
  const sentences = describePolicy(policy, names).filter((sentence) => sentence.startsWith('Each sender'));
  expect(sentences).toEqual([
    'Each sender may have 5 operations in a day.',
    `Each sender may have 5 calls of ${contract} in a day.`,
    `Each sender may have 5 calls of mint(address) of ${contract} in a day.`,
  ]);
});

test.each([
  [8453, '0.05 ETH'],
  [137, '0.05 POL'],
  [987_654, '0.05 of the chain’s coin'],
])('amounts in a policy of chain %d have its unit', (chainId, amount) => {
  const costs = { ...limit, unit: 'WEI', max: '50000000000000000' } as const;
  const limits = [costs, { ...costs, contract }];
  const costly = PolicyRequestSchema.parse({ maxCostPerOperation: { wei: costs.max }, limits });
  const sentences = describePolicy(costly, { ...names, chainId });
  expect(sentences).toEqual(
    expect.arrayContaining([
      `One operation may cost at most ${amount}.`,
      `Each sender may cost at most ${amount} in a day.`,
      `Each sender may cost at most ${amount} in a day, counting operations with calls of ${contract}.`,
    ]),
  );
});

test.each([
  [{ relay: 'ONLY' }, ['Only relayed operations are sponsored, which use no paymaster contract.']],
  [{ ignoreForeignPolicyIds: true }, ['Accept policy ids of other services.']],
  [{ tokens: { enabled: true, allowed: [], tokenRecipient: contract } }, [`The tokens go to ${contract}.`]],
  [{ maxTransfersPerDay: 3 }, ['Max transfers per day: 3.']], // a field that has neither label nor sentence
  [{ accounts: 'KNOWN', limits: [], relay: 'NEVER' }, []],
])('the summary shows the change %j', (change, added) => {
  const before = describePolicy({}, names);
  const after = describePolicy(change as Partial<PolicyItem>, names);
  expect(after.filter((sentence) => !before.includes(sentence))).toEqual(added);
});

const rule = { contract, method: 'mint(address)', where: [{ argument: 'to', is: 'msg.sender' }] };

test.each<[string, string, unknown, string]>([
  ['a new rule', 'callRules', [{ where: [] }], '“Contract” is missing'],
  ['a rule without a method', 'callRules', [{ contract, where: [] }], '“Method” is missing'],
  ['a condition without a value', 'callRules', [{ ...rule, where: [{ argument: 'to' }] }], 'must hold one of is'],
  ['a limit without an amount', 'limits', [{ ...limit, max: undefined }], 'is missing'],
  ['an amount with a comma', 'limits', [{ ...limit, unit: 'USD', max: '0,50' }], 'must be USD with at most 6 decimals'],
  [
    'an amount of operations that is none',
    'limits',
    [{ ...limit, max: 'ten' }],
    'must be a whole number in decimal digits',
  ],
  ['a pause without times', 'pauses', [{ days: [] }], 'is missing'],
  ['a gas price that is none', 'maxFeePerGas', 'thirty', 'must be wei in decimal digits'],
  ['a cost that is none', 'maxCostPerOperation', { wei: 'much' }, 'must be wei in decimal digits'],
])('%s in a draft is said to be unfinished', (_, field, value, problem) => {
  const sentences = describePolicy({ [field]: value }, names);
  const told = sentences.filter((sentence) => sentence.includes(problem));
  expect(told).toHaveLength(1);
  expect(sentences.join(' ')).not.toMatch(/undefined|NaN|null|\$0,50/);
});

test('complete parts of a list are told next to unfinished ones', () => {
  const sentences = describePolicy({ limits: [limit, { ...limit, max: '' }, { ...limit, window: 'WEEK' }] }, names);
  expect(sentences.filter((sentence) => sentence.startsWith('Each sender'))).toEqual([
    'Each sender may have 5 operations in a day.',
    'Each sender may have 5 operations in a week.',
  ]);
  expect(sentences.filter((sentence) => sentence.includes('must be a whole number'))).toHaveLength(1);
});

test('a template replaces what another one has set, and leaves the rest', () => {
  const templates = policyTemplates(undefined);
  const fieldsOf = (name: string) => templates.find((each) => each.name === name)?.fields ?? {};
  const mine = { blockedSenders: [contract], tokens: { tokenRecipient: contract }, unknownToThisPage: 1 };
  const everything = withTemplate(mine, fieldsOf('Everything, for tests'));
  expect(everything).toMatchObject({ ...mine, sponsorAllCalls: true, accounts: 'ANY' });
  const careful = withTemplate(everything, fieldsOf('Careful start'));
  expect(careful).toEqual({ ...mine, ...fieldsOf('Careful start') });
  for (const { fields } of templates) expect(PolicyRequestSchema.safeParse(fields).success).toBe(true);
});

test('every template but the one for tests bounds what all senders together can spend', () => {
  const unbounded = policyTemplates().filter(
    ({ fields: { limits = [] } }) => !limits.some(({ per }) => per === 'TOTAL'),
  );
  expect(unbounded.map(({ name }) => name)).toEqual(['Everything, for tests']);
});

test.each([
  [undefined, '0.50'],
  [0.01, '0.50'],
  [0.33, '0.50'],
  [0.34, '1.00'],
  [0.83, '2.00'],
  [4.1, '10.00'],
])('with operations of up to %s USD in the last week the suggested cap is %s', (highestUsd, cap) => {
  const [careful] = policyTemplates(highestUsd === undefined ? {} : { highestUsd });
  expect(careful?.fields.maxCostPerOperation).toEqual({ usd: cap });
  if (highestUsd !== undefined) expect(Number(cap)).toBeGreaterThan(highestUsd);
});
