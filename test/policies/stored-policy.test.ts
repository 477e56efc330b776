import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { checkPolicy } from '../../core/policies/check-policy.ts';
import { parsePolicy, policyText } from '../../core/policies/policy-text.ts';
import { RowError } from '../../core/store/store-error.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';

const ada = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const bob = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

/** Texts that version 0.1.0 has written, and what they mean. */
const ofVersion1: readonly [string, Policy][] = [
  [
    '{"sponsorAllCalls":false,"allowAccountDeployment":false,"allowRevertingOperations":false,"blockedSenders":[],"pauses":[],"limits":[]}',
    defaultPolicy,
  ],
  [
    `{"sponsorAllCalls":true,"allowAccountDeployment":true,"allowRevertingOperations":false,"allowedSenders":["${ada}"],"blockedSenders":["${bob}"],"notBefore":1767225600,"notAfter":1798761600,"pauses":[{"days":[5,6],"from":1320,"until":360}],"maxCostWei":"10000000000000000","maxCostUsdMicros":"500000","maxFeePerGas":"100000000000","limits":[{"per":"sender","window":"day","unit":"operations","most":"10"},{"per":"total","window":"month","unit":"usdMicros","most":"500000000"},{"per":"total","window":"ever","unit":"wei","most":"1000000000000000000000000000"}]}`,
    {
      ...defaultPolicy,
      sponsorAllCalls: true,
      allowAccountDeployment: true,
      maxCostWei: 10n ** 16n,
      maxCostUsdMicros: 500_000n,
      maxFeePerGas: 10n ** 11n,
      allowedSenders: [ada],
      blockedSenders: [bob],
      notBefore: 1_767_225_600,
      notAfter: 1_798_761_600,
      pauses: [{ days: [5, 6], from: 1_320, until: 360 }],
      limits: [
        { per: 'sender', window: 'day', unit: 'operations', max: 10n },
        { per: 'total', window: 'month', unit: 'usdMicros', max: 500_000_000n },
        { per: 'total', window: 'ever', unit: 'wei', max: 10n ** 27n },
      ],
    },
  ],
];

test.each(ofVersion1)('a policy of version 0.1.0 is read as it was meant: %s', (text, policy) => {
  expect(parsePolicy(text, 'p')).toEqual(policy);
});

test('a field that a row does not have is what it is by default', () => {
  expect(parsePolicy('{"version":2}', 'p')).toEqual(defaultPolicy);
  expect(parsePolicy('{"version":2,"maxFeePerGas":"7"}', 'p')).toEqual({ ...defaultPolicy, maxFeePerGas: 7n });
});

const max = fc.bigInt({ min: 0n, max: 10n ** 15n });
const senders = fc.uniqueArray(fc.constantFrom(ada, bob));
const minute = fc.nat({ max: 1_439 });
const anyPolicy: fc.Arbitrary<Policy> = fc
  .record(
    {
      sponsorAllCalls: fc.boolean(),
      allowAccountDeployment: fc.boolean(),
      allowRevertingOperations: fc.boolean(),
      maxCostWei: max,
      maxCostUsdMicros: max,
      maxGasPerOperation: fc.nat(),
      maxFeePerGas: max,
      allowedSenders: senders,
      blockedSenders: senders,
      notBefore: fc.nat({ max: 1_000 }),
      notAfter: fc.nat({ max: 1_000 }).map((after) => 1_001 + after),
      pauses: fc.array(
        fc.record({
          days: fc.uniqueArray(fc.constantFrom(1, 2, 3, 4, 5, 6, 7), { minLength: 1 }),
          from: minute,
          until: minute,
        }),
        { maxLength: 20 },
      ),
      limits: fc.uniqueArray(
        fc.record({
          per: fc.constantFrom('sender', 'total'),
          window: fc.constantFrom('hour', 'day', 'week', 'month', 'ever'),
          unit: fc.constantFrom('operations', 'wei', 'usdMicros'),
          max,
        }),
        { maxLength: 20, selector: ({ per, window, unit }) => `${per} ${window} ${unit}` },
      ),
      methodGas: fc.array(
        fc.record({
          contract: fc.constantFrom(ada, bob),
          method: fc.constantFrom('mint', 'burn'),
          maxCallGas: fc.nat(),
        }),
        { maxLength: 20 },
      ),
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ ...defaultPolicy, ...fields }));

test('every policy is read as it was written, and checked without a change', () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      expect(parsePolicy(policyText(policy), 'p')).toEqual(policy);
      expect(accepted(checkPolicy(policy))).toEqual(policy);
    }),
  );
});

const unreadable: readonly [string, string][] = [
  ['', 'it is not JSON'],
  ['{"version":2', 'it is not JSON'],
  ['[]', 'Invalid input: expected object, received array'],
  ['{"version":3}', 'version was written by another version of the program'],
  ['{"version":2,"sponsorEverybody":true}', 'Unrecognized key: "sponsorEverybody"'],
  ['{"version":2,"maxCostWei":7}', 'maxCostWei Invalid input: expected string, received number'],
  [
    '{"version":2,"limits":[{"per":"sender","window":"day","unit":"wei","most":"7"}]}',
    'limits[0].max Invalid input: expected string, received undefined',
  ],
  ['{"limits":{}}', 'limits Invalid input: expected array, received object'],
  ['{"version":2,"allowedSenders":["0x"]}', expect.stringContaining('allowedSenders[0]')],
];

test.each(unreadable)('the row %s is not read, not even in part', (text, why) => {
  const message = typeof why === 'string' ? `The row p of the table policies cannot be read: ${why}` : why;
  expect(() => parsePolicy(text, 'p')).toThrow(expect.objectContaining({ name: 'RowError', message }));
});

describe('a paymaster whose policy cannot be read', () => {
  async function start() {
    const { management, profiles, store } = await startManagement();
    const { owned, paymaster } = await newPaymaster(management);
    const row = { paymaster_id: owned.paymasterId, policy: '{"version":9}', updated_at: 1 };
    await store.db.insertInto('policies').values(row).execute();
    return { management, owned, find: () => profiles.find(paymaster.apiKey) };
  }

  test('has no profile to sponsor with, and the error says which row it is', async () => {
    const { find, owned } = await start();
    const failed = await find().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RowError);
    expect(String(failed)).toContain(`The row ${owned.paymasterId} of the table policies cannot be read`);
  });

  test('is fixed by setting one', async () => {
    const { management, owned, find } = await start();
    accepted(await management.setPolicy({ ...owned, policy: { ...defaultPolicy, maxFeePerGas: 7n } }));
    expect((await find())?.policy).toEqual({ ...defaultPolicy, maxFeePerGas: 7n });
  });
});
