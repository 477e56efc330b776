import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { fixOf } from '../../core/decisions/decision-draft.ts';
import type { Fix } from '../../core/domain/decision.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import { ruleOnCalls } from '../../core/policies/rules/rule-on-calls.ts';

const target = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const selector = '0xa9059cbb';
const message = 'no';
const registered = new Map([[target.toLowerCase(), { name: 'shop', selectors: new Map<Hex, number>() }]]);
const none = new Map<string, { name: string; selectors: Map<Hex, number> }>();

/** What fixes the refusal of an operation that calls these. */
function fixOfCalls(contracts: typeof none, call: { target: typeof target; selector?: typeof selector } | undefined) {
  const asked = { calls: call === undefined ? [] : [call], deploysOnly: call === undefined };
  const { refusal } = ruleOnCalls({ contracts, policy: defaultPolicy }, asked);
  if (refusal === undefined) throw new Error('It was not refused.');
  return fixOf(refusal);
}

test('a refused call names its contract and method, and what is missing for it', () => {
  const call = { target, selector } as const;
  expect(fixOfCalls(none, call)).toEqual({ action: 'register-contract', target, selector });
  const another = new Map([['0x00', { name: 'other', selectors: new Map<Hex, number>() }]]);
  expect(fixOfCalls(another, call)).toEqual({ action: 'register-contract', target, selector });
  expect(fixOfCalls(registered, call)).toEqual({ action: 'whitelist-method', target, selector });
});

test('what no contract can be registered for is for the policy to allow', () => {
  const change = { action: 'change-policy', policyField: 'sponsorAllCalls' };
  expect(fixOfCalls(registered, { target })).toEqual({ ...change, target });
  expect(fixOfCalls(registered, undefined)).toEqual({ ...change, policyField: 'allowAccountDeployment' });
});

test.each<[Refusal, Fix | undefined]>([
  [
    { reason: 'ACCOUNT_NOT_KNOWN', message },
    { action: 'change-policy', policyField: 'accounts' },
  ],
  [
    { reason: 'USER_PAYS_SHARE', message },
    { action: 'change-policy', policyField: 'userPaysPercent' },
  ],
  [
    { reason: 'SENDER_BLOCKED', message, details: { sender: target, list: 'blockedSenders' } },
    { action: 'change-policy', policyField: 'blockedSenders' },
  ],
  [
    { reason: 'TOKEN_NOT_SUPPORTED', message, details: { token: target, policy: 'tokens.allowed' } },
    { action: 'change-policy', policyField: 'tokens' },
  ],
  [
    { reason: 'LIMIT_EXCEEDED', limitKind: 'POLICY_CAP', message, details: { limit: 'maxCostPerOperation.wei' } },
    { action: 'change-policy', policyField: 'maxCostPerOperation' },
  ],
  [
    { reason: 'LIMIT_EXCEEDED', limitKind: 'POLICY_LIMIT', message, details: { limit: 'limit-sender-day-wei' } },
    { action: 'change-policy', policyField: 'limits' },
  ],
  [
    { reason: 'LIMIT_EXCEEDED', limitKind: 'OPERATOR_CAP', message, details: { limit: 'maxCostPerOperation' } },
    undefined,
  ],
  [
    { reason: 'WEBHOOK_REFUSED', message, details: { webhookId: 'hook-1' } },
    { action: 'look-at-webhook', webhookId: 'hook-1' },
  ],
  [
    { reason: 'INSUFFICIENT_FUNDS', message, details: { needed: '1000000000000000001' } },
    { action: 'deposit', neededWei: 1_000_000_000_000_000_001n },
  ],
  [{ reason: 'INSUFFICIENT_FUNDS', message }, { action: 'deposit' }],
  [{ reason: 'CHAIN_UNAVAILABLE', message }, { action: 'look-at-status' }],
  [{ reason: 'ORIGIN_NOT_ALLOWED', message, details: { key: 'web' } }, { action: 'change-key-origins' }],
  [{ reason: 'LIMIT_EXCEEDED', limitKind: 'KEY_LIMIT', message, details: {} }, { action: 'change-key-limits' }],
  [{ reason: 'LIMIT_EXCEEDED', limitKind: 'ACCOUNT_BUDGET', message, details: {} }, { action: 'change-budget' }],
  [{ reason: 'TICKET_EXPIRED', message }, undefined],
])('%j', (refusal, fix) => {
  expect(fixOf(refusal)).toEqual(fix);
});
