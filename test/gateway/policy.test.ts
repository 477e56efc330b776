import fc from 'fast-check';
import { getAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { readUsd, usdText } from '../../contract/fields/forms.ts';
import { PolicyRequestSchema, PolicySchema } from '../../contract/policy-fields.ts';
import { defaultPolicy, type Policy, type Weekday } from '../../core/domain/policy.ts';
import { policyItem, readPolicyRequest } from '../../core/domain/policy-item.ts';
import { contract, createFakeCore, policyPreview } from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const sender = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
/** The constants of the fake core as the interface writes them. */
const shown = {
  sponsorAllCalls: false,
  allowAccountDeployment: true,
  allowRevertingOperations: false,
  accounts: 'KNOWN',
  maxCostPerOperation: { wei: '10000000000000000', usd: '0.50' },
  maxFeePerGas: '100000000000',
  allowedSenders: [sender],
  blockedSenders: ['0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'],
  notBefore: 1_800_000_000,
  notAfter: 1_900_000_000,
  pauses: [{ days: ['MON', 'SUN'], from: '22:00', until: '06:00' }],
  limits: [{ per: 'SENDER', window: 'DAY', unit: 'USD', max: '10.000001' }],
  callRules: [
    {
      contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      method: 'transfer',
      where: [
        { argument: 'to', in: ['msg.sender'] },
        { argument: '1', atMost: '5' },
      ],
    },
  ],
  methodGas: [],
  relay: 'NEVER',
  requireTicket: false,
  ignoreForeignPolicyIds: false,
  thenPayInToken: false,
};
const nothingSet = {
  sponsorAllCalls: false,
  allowAccountDeployment: false,
  allowRevertingOperations: false,
  accounts: 'KNOWN',
  blockedSenders: [],
  pauses: [],
  limits: [],
  callRules: [],
  methodGas: [],
  requireTicket: false,
  ignoreForeignPolicyIds: false,
  thenPayInToken: false,
};

async function ask(method: string, path: string, json?: unknown) {
  const { url } = await startTestGateway();
  const answer = await send(`${url}${prefix}${path}`, method, {
    headers: bothHeaders,
    json,
  });
  return [answer.status, answer.body];
}

describe('answers', () => {
  test('GET /policy has all that is set', async () => {
    expect(await ask('GET', '/policy')).toEqual([200, { statusCode: 200, message: 'Policy fetched', data: shown }]);
  });

  test('PUT /policy answers the policy that is set now, and takes what GET answers', async () => {
    expect(await ask('PUT', '/policy', shown)).toEqual([
      200,
      { statusCode: 200, message: 'Policy updated', data: shown },
    ]);
  });

  test('what PUT does not say is as for a paymaster without a policy', async () => {
    expect(await ask('PUT', '/policy', {})).toMatchObject([200, { data: nothingSet }]);
  });

  test('POST /policy/preview answers what the core found', async () => {
    const amounts = { worstCase: '1000000000000000', charge: '400000000000000', usdMicrosPerCoin: '2000000000' };
    const cutOff = policyPreview.cutOff.map((each) => ({ ...each, ...amounts }));
    const expected = { statusCode: 200, message: 'Policy previewed', data: { ...policyPreview, cutOff } };
    expect(await ask('POST', '/policy/preview?last=5', shown)).toEqual([200, expected]);
  });

  test('POST /policy/preview hands on the policy and how many decisions', async () => {
    const asked: unknown[] = [];
    const core = createFakeCore({
      previewPolicy: async ({ policy, last }) => {
        asked.push([policy.maxCostUsdMicros, last]);
        return { ok: true, value: policyPreview };
      },
    });
    const { url } = await startTestGateway({ core });
    for (const query of ['', '?last=1000']) {
      await send(`${url}${prefix}/policy/preview${query}`, 'POST', { headers: bothHeaders, json: shown });
    }
    expect(asked).toEqual([
      [500_000n, undefined],
      [500_000n, 1_000],
    ]);
  });

  test('lists of senders as long as they may be fit into a request', async () => {
    const senders = Array.from({ length: 1_000 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`);
    expect(await ask('PUT', '/policy', { allowedSenders: senders, blockedSenders: senders })).toMatchObject([200, {}]);
  });
});

const limit = { per: 'TOTAL', window: 'DAY', unit: 'WEI', max: '1' };
const callRule = { contract: sender, method: 'transfer', where: [{ argument: 'to', is: 'msg.sender' }] };
const pause = { days: ['MON'], from: '22:00', until: '06:00' };

describe('a policy that is not in form is refused with the field', () => {
  test.each<[unknown, string]>([
    [[], 'Request body must be a JSON object'],
    [{ limts: [limit] }, 'limts is not known. Did you mean limits?'],
    [{ callRules: [{ ...callRule, when: [] }] }, 'callRules[0].when is not known. Did you mean callRules[0].where?'],
    [{ callRules: [{ ...callRule, contract: '0x12' }] }, 'callRules[0].contract must be a valid address'],
    [{ callRules: [{ ...callRule, method: '' }] }, 'callRules[0].method must not be empty'],
    [{ methodGas: [{ contract: callRule.contract }] }, 'methodGas[0].maxCallGas must be a whole number'],
    [
      { methodGas: [{ contract: callRule.contract, maxCallGas: -1 }] },
      'methodGas[0].maxCallGas must be a whole number',
    ],
    [
      { callRules: [{ ...callRule, where: [{ argument: 'to' }] }] },
      'callRules[0].where[0] must hold one of is, isNot, atLeast, atMost, in',
    ],
    [
      { callRules: [{ ...callRule, where: [{ argument: 'to', is: '1', isNot: '2' }] }] },
      'callRules[0].where[0] must hold one of is, isNot, atLeast, atMost, in',
    ],
    [
      { callRules: [{ ...callRule, where: [{ argument: '1', atMost: 5 }] }] },
      'callRules[0].where[0].atMost must be a string',
    ],
    [
      { limits: [limit, { ...limit, window: 'EVER', maximum: '1' }] },
      'limits[1].maximum is not known. The known fields are per, window, unit, max, contract, method.',
    ],
    [
      { maxCostPerOperation: { USD: '1' } },
      'maxCostPerOperation.USD is not known. Did you mean maxCostPerOperation.usd?',
    ],
    [{ maxCostPerOperation: {} }, 'maxCostPerOperation must hold wei or usd'],
    [{ maxCostPerOperation: '1' }, 'maxCostPerOperation must be an object'],
    [
      { maxCostPerOperation: { usd: '0.0000001' } },
      'maxCostPerOperation.usd must be USD with at most 6 decimals, like 0.50',
    ],
    [{ maxCostPerOperation: { usd: '-1' } }, 'maxCostPerOperation.usd must be USD with at most 6 decimals, like 0.50'],
    [{ maxCostPerOperation: { usd: 0.5 } }, 'maxCostPerOperation.usd must be a string'],
    [{ maxCostPerOperation: { wei: '1e18' } }, 'maxCostPerOperation.wei must be wei in decimal digits'],
    [{ maxFeePerGas: '0x10' }, 'maxFeePerGas must be wei in decimal digits'],
    [{ sponsorAllCalls: 'true' }, 'sponsorAllCalls must be a boolean value'],
    [{ allowedSenders: 'all' }, 'allowedSenders must be an array'],
    [{ blockedSenders: [sender, '0x12'] }, 'blockedSenders[1] must be a valid address'],
    [{ notBefore: -1 }, 'notBefore must be Unix seconds'],
    [{ notAfter: '2026-01-01' }, 'notAfter must be Unix seconds'],
    [
      { pauses: [{ ...pause, days: ['MONDAY'] }] },
      'pauses[0].days[0] must be one of MON, TUE, WED, THU, FRI, SAT, SUN',
    ],
    [{ pauses: [{ ...pause, from: '24:00' }] }, 'pauses[0].from must be a time like 22:00'],
    [{ pauses: [{ days: ['MON'], from: '22:00' }] }, 'pauses[0].until must be a string'],
    [{ limits: [{ ...limit, per: 'ACCOUNT' }] }, 'limits[0].per must be one of SENDER, SUBJECT, TOTAL'],
    [{ limits: [{ ...limit, max: 5 }] }, 'limits[0].max must be a string of decimal digits, like "100"'],
    [{ limits: [{ ...limit, max: '0.5' }] }, 'limits[0].max must be a whole number in decimal digits'],
    [
      { limits: [{ ...limit, unit: 'USD', max: '1.' }] },
      'limits[0].max must be USD with at most 6 decimals, like 0.50',
    ],
    [{ limits: Array.from({ length: 21 }, () => limit) }, 'limits must hold at most 20 items'],
  ])('%j', async (body, message) => {
    for (const [method, path] of [
      ['PUT', '/policy'],
      ['POST', '/policy/preview'],
    ] as const) {
      expect(await ask(method, path, body)).toEqual([400, { statusCode: 400, message }]);
    }
  });

  test.each(['0', '31', '1.5'])('days=%s', async (days) => {
    const message = 'days must be a whole number from 1 to 30';
    expect(await ask('POST', `/policy/preview?days=${days}`, {})).toEqual([400, { statusCode: 400, message }]);
  });

  test.each(['0', '1001', '1.5', 'all'])('last=%s', async (last) => {
    const message = 'last must be a whole number from 1 to 1000';
    expect(await ask('POST', `/policy/preview?last=${last}`, {})).toEqual([400, { statusCode: 400, message }]);
  });
});

describe('USD as text', () => {
  test('is exact in both directions', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (micros) => {
        expect(readUsd(usdText(micros))).toBe(micros);
      }),
    );
  });

  test.each([
    [0n, '0.00'],
    [1n, '0.000001'],
    [500_000n, '0.50'],
    [10_000_000n, '10.00'],
    [9_007_199_254_740_993n, '9007199254.740993'],
  ])('%s millionths are %s', (micros, text) => expect(usdText(micros)).toBe(text));

  test.each([
    ['1', 1_000_000n],
    ['0.5', 500_000n],
    ['0.500000', 500_000n],
  ])('%s is read exactly', (text, micros) => expect(readUsd(text)).toBe(micros));
});

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`));
const minute = fc.integer({ min: 0, max: 1_439 });
const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
const required = {
  sponsorAllCalls: fc.boolean(),
  allowAccountDeployment: fc.boolean(),
  allowRevertingOperations: fc.boolean(),
  blockedSenders: fc.array(address, { maxLength: 3 }),
  pauses: fc.array(
    fc.record({
      days: fc.uniqueArray(fc.constantFrom<Weekday>(1, 2, 3, 4, 5, 6, 7), { minLength: 1 }),
      from: minute,
      until: minute,
    }),
    { maxLength: 3 },
  ),
  limits: fc.array(
    fc.record({
      per: fc.constantFrom('sender' as const, 'total' as const),
      window: fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const, 'ever' as const),
      unit: fc.constantFrom('operations' as const, 'wei' as const, 'usdMicros' as const),
      max: amount,
    }),
    { maxLength: 3 },
  ),
};
const anyPolicy: fc.Arbitrary<Policy> = fc
  .record(
    {
      ...required,
      maxCostWei: amount,
      maxCostUsdMicros: amount,
      maxFeePerGas: amount,
      allowedSenders: fc.array(address, { maxLength: 3 }),
      notBefore: fc.nat(),
      notAfter: fc.nat(),
    },
    { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
  )
  .map((fields) => ({ ...defaultPolicy, ...fields }));

test('every policy survives being answered and sent again', () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      const wire: unknown = JSON.parse(JSON.stringify(policyItem(policy)));
      expect(PolicySchema.safeParse(wire).success).toBe(true);
      expect(readPolicyRequest(PolicyRequestSchema.parse(wire))).toEqual(policy);
    }),
  );
});

test('a contract is deleted with the rules of the policy that no longer fit it', async () => {
  const brokenRules = ['callRules[0].contract must be a registered contract'];
  const core = createFakeCore({ deleteSmartContract: async () => ({ ok: true, value: { ...contract, brokenRules } }) });
  const { url } = await startTestGateway({ core });
  const request = { headers: bothHeaders, json: { address: contract.address } };
  const { body } = await send(`${url}${prefix}/smart-contract`, 'DELETE', request);
  expect(body).toEqual({ statusCode: 200, message: 'Smart contract deleted', data: { brokenRules } });
});
