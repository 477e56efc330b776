import fc from 'fast-check';
import type { SponsoringPolicy } from '../../core/domain/paymaster-data.ts';
import type { NamedPolicy, PolicyHead } from '../../core/domain/policies/named-policy.ts';
import type { Policy } from '../../core/domain/policy.ts';
import type { PolicyPreview } from '../../core/domain/policy-preview.ts';
import { sponsorshipReasons } from '../../core/domain/result/refusal.ts';
import { address, amount, complete, text, time, withOptional } from './arbitrary-values.ts';

export const policy: fc.Arbitrary<Policy> = withOptional(
  {
    sponsorAllCalls: fc.boolean(),
    allowAccountDeployment: fc.boolean(),
    allowRevertingOperations: fc.boolean(),
    accounts: fc.constantFrom('KNOWN', 'ANY'),
    relay: fc.constantFrom('NEVER', 'PREFER', 'ONLY'),
    requireTicket: fc.boolean(),
    blockedSenders: fc.array(address, { maxLength: 3 }),
    pauses: fc.array(
      complete({
        days: fc.uniqueArray(fc.constantFrom(1, 2, 3, 4, 5, 6, 7)),
        from: fc.integer({ min: 0, max: 1_439 }),
        until: fc.integer({ min: 0, max: 1_439 }),
      }),
      { maxLength: 3 },
    ),
    limits: fc.array(
      withOptional(
        {
          per: fc.constantFrom('sender', 'subject', 'total'),
          window: fc.constantFrom('hour', 'day', 'week', 'month', 'ever'),
          unit: fc.constantFrom('operations', 'wei', 'usdMicros'),
          max: amount,
        },
        { contract: address, method: text },
      ),
      { maxLength: 3 },
    ),
    ignoreForeignPolicyIds: fc.boolean(),
    thenPayInToken: fc.boolean(),
    callRules: fc.array(
      complete({
        contract: address,
        method: text,
        where: fc.array(
          withOptional(
            { argument: text },
            { is: text, isNot: text, atLeast: text, atMost: text, in: fc.array(text, { maxLength: 3 }) },
          ),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 3 },
    ),
  },
  {
    maxCostWei: amount,
    maxCostUsdMicros: amount,
    maxFeePerGas: amount,
    maxGasPerOperation: fc.nat(),
    maxPreVerificationGas: fc.nat(),
    userPaysPercent: fc.integer({ min: 1, max: 99 }),
    maxValiditySeconds: fc.integer({ min: 30, max: 86_400 }),
    allowedSenders: fc.array(address, { maxLength: 3 }),
    tokens: withOptional(
      { enabled: fc.boolean(), allowed: fc.array(address, { maxLength: 3 }) },
      { treasury: address },
    ),
    notBefore: time,
    notAfter: time,
  },
);
const headFields = { name: text, enabled: fc.boolean() };
const headTexts = { description: text, author: text, icon: text };
export const policyHead: fc.Arbitrary<PolicyHead> = withOptional(headFields, headTexts);
export const namedPolicy: fc.Arbitrary<NamedPolicy> = withOptional(
  { ...headFields, policyId: text, createdAt: time, updatedAt: time, policy },
  headTexts,
);

export const sponsoringPolicy: fc.Arbitrary<SponsoringPolicy> = withOptional(
  { policyId: text, name: text, author: text },
  { description: text, icon: text },
);

const changedDecisions = fc.array(
  withOptional(
    {
      decisionId: text,
      decidedAt: time,
      sender: address,
      reason: fc.constantFrom(...sponsorshipReasons),
      rule: text,
      message: text,
    },
    { offeredTokenPayment: fc.constant(true as const) },
  ),
  { maxLength: 3 },
);
export const policyPreview: fc.Arbitrary<PolicyPreview> = withOptional(
  {
    replayed: fc.integer({ min: 0, max: 1_000 }),
    unpriced: fc.integer({ min: 0, max: 1_000 }),
    unread: fc.integer({ min: 0, max: 1_000 }),
    cutOff: changedDecisions,
    letIn: changedDecisions,
    senders: fc.array(complete({ sender: address, cutOff: fc.integer({ min: 1, max: 1_000 }) }), { maxLength: 3 }),
  },
  { since: time },
);
