import fc from 'fast-check';
import type { PolicyRequest } from '../../contract/policy.ts';
import { limitPers, limitWindows, policyDays } from '../../contract/policy-fields.ts';

const address = fc.stringMatching(/^[0-9a-f]{40}$/).map((digits) => `0x${digits}` as const);
const addresses = fc.array(address, { maxLength: 4 });
const digits = (max: bigint) => fc.bigInt({ min: 0n, max }).map(String);
const wei = digits(10n ** 24n);
const usd = fc
  .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.stringMatching(/^\d{0,6}$/))
  .map(([whole, decimals]) => (decimals === '' ? `${whole}` : `${whole}.${decimals}`));
const text = fc.string({ minLength: 1, maxLength: 20 });
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const amount = fc.oneof(
  fc.record({ unit: fc.constant('OPERATIONS' as const), max: digits(10n ** 9n) }),
  fc.record({ unit: fc.constant('WEI' as const), max: wei }),
  fc.record({ unit: fc.constant('USD' as const), max: usd }),
);
const limits = fc.uniqueArray(
  fc
    .tuple(fc.record({ per: fc.constantFrom(...limitPers), window: fc.constantFrom(...limitWindows) }), amount)
    .map(([counted, most]) => ({ ...counted, ...most })),
  { maxLength: 4, selector: ({ per, window, unit }) => [per, window, unit].join() },
);
const condition = fc
  .tuple(
    text,
    fc.oneof(
      ...(['is', 'isNot', 'atLeast', 'atMost'] as const).map((one) => fc.record({ [one]: text })),
      fc.record({ in: fc.array(text, { minLength: 1, maxLength: 3 }) }),
    ),
  )
  .map(([argument, compared]) => ({ argument, ...compared }));
const callRule = fc.record({
  contract: address,
  method: text,
  where: fc.array(condition, { minLength: 1, maxLength: 3 }),
});
const pause = fc.record({
  days: fc.uniqueArray(fc.constantFrom(...policyDays), { minLength: 1 }),
  from: time,
  until: time,
});

/** Any policy that the program takes, where its contracts are registered; with anything left out. */
export const arbitraryPolicy: fc.Arbitrary<PolicyRequest> = fc
  .record(
    {
      sponsorAllCalls: fc.boolean(),
      allowAccountDeployment: fc.boolean(),
      allowRevertingOperations: fc.boolean(),
      accounts: fc.constantFrom('KNOWN' as const, 'ANY' as const),
      maxCostPerOperation: fc.oneof(fc.record({ wei }), fc.record({ usd }), fc.record({ wei, usd })),
      maxFeePerGas: wei,
      maxGasPerOperation: fc.nat(),
      allowedSenders: addresses,
      blockedSenders: addresses,
      tokens: fc.record(
        { enabled: fc.constant(true), allowed: addresses, tokenRecipient: address },
        { requiredKeys: [] },
      ),
      thenPayInToken: fc.boolean(),
      userPaysPercent: fc.integer({ min: 1, max: 99 }),
      maxValiditySeconds: fc.integer({ min: 30, max: 86_400 }),
      notBefore: fc.integer({ min: 0, max: 1_000 }),
      notAfter: fc.integer({ min: 1_001, max: 2_000_000_000 }),
      pauses: fc.array(pause, { maxLength: 3 }),
      limits,
      callRules: fc.array(callRule, { maxLength: 3 }),
      ignoreForeignPolicyIds: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((policy) => ({ ...policy, requireTicket: (policy.limits ?? []).some(({ per }) => per === 'SUBJECT') }));
