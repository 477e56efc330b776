import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { defaultPolicy, type Policy, policyScopes } from '../../core/domain/policy.ts';
import { readCalledLimits } from '../../core/policies/called-limits.ts';
import { decideStage } from '../../core/policies/rules/decide-stage.ts';
import { isPolicyRule, policyRules } from '../../core/policies/rules/policy-rules.ts';

const sender = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const request = {
  policy: { ...defaultPolicy, userPaysPercent: 50 },
  contracts: new Map(),
  // Of the rules on arguments one cannot be applied: without any nothing is ruled.
  callRules: new Map([[sender.toLowerCase(), { methods: new Map(), broken: 'it is gone' }]]),
  calledLimits: new Map([['any', { contract: sender.toLowerCase(), known: new Set<Hex>(), broken: 'it is gone' }]]),
  calls: [{ target: sender, content: undefined }],
  deploysOnly: false,
  sender,
  maxFeePerGas: 1n,
  decidedAt: 0,
  ticketUser: 'subject:someone',
  payer: 'RELAY',
} as const;
const cap = { contract: sender, maxCallGas: 1 } as const;
const cost = {
  policy: { ...defaultPolicy, methodGas: [cap] },
  calledLimits: readCalledLimits([], new Map([[sender.toLowerCase(), { methods: [], selectors: new Set<Hex>() }]]), [
    cap,
  ]).limits,
  calls: request.calls,
  gas: 1n,
  callGas: 1n,
  worstCase: 1n,
};

test.each([
  ...Object.entries(policyRules.request).map(([id, rule]) => [id, rule.decide(request)] as const),
  ...Object.entries(policyRules.cost).map(([id, rule]) => [id, rule.decide(cost)] as const),
])('the rulings of %s are filed under its id', (id, rulings) => {
  expect(rulings.map(({ rule }) => rule)).toEqual([id]);
});

test('an operation of which no payer is known is one of a paymaster contract', () => {
  const { payer: _, ...facts } = request;
  const decided = policyRules.request['policy-relay']?.decide({ ...facts, policy: { ...facts.policy, relay: 'ONLY' } });
  expect(decided?.[0]?.finding).toEqual(['policy-relay', 'CONTRACT', 'ONLY']);
});

test('a limit that does not fit its contract binds who pays in tokens only for a share', () => {
  const rulesFor = (policy: Policy) =>
    decideStage('request', { ...request, callRules: new Map(), policy }, 'ERC20').map(({ rule }) => rule);
  const open = { ...defaultPolicy, sponsorAllCalls: true };
  expect(rulesFor(open)).not.toContain('limited-calls');
  expect(rulesFor({ ...open, userPaysPercent: 50 })).toContain('limited-calls');
});

/** Fields that are not read by a rule, with the code that reads them. */
const readElsewhere = {
  allowRevertingOperations: 'core/sponsorship/gas/choose-gas.ts',
  callRules: 'core/policies/call-rules/call-rules.ts',
  ignoreForeignPolicyIds: 'core/sponsorship/identify/choose-policy.ts',
  limits: 'core/policies/limit-window.ts',
  maxPreVerificationGas: 'core/sponsorship/gas/find-gas-limits.ts',
  maxValiditySeconds: 'core/sponsorship/permit/sponsor-mode.ts',
  thenPayInToken: 'core/sponsorship/tokens/token-mode.ts',
} as const satisfies Partial<Record<keyof Policy, string>>;

test('every field of a policy is read by a rule, or by the code that is named here', () => {
  const read = new Set<string>();
  const policy = new Proxy(request.policy, {
    get: (target, field) => {
      read.add(String(field));
      return Reflect.get(target, field);
    },
  });
  for (const rule of Object.values(policyRules.request)) rule.decide({ ...request, policy });
  for (const rule of Object.values(policyRules.account)) rule.decide({ policy, account: undefined });
  for (const rule of Object.values(policyRules.cost)) rule.decide({ ...cost, policy });
  for (const [field, file] of Object.entries(readElsewhere)) expect(readFileSync(file, 'utf8')).toContain(field);
  expect([...read, ...Object.keys(readElsewhere)].sort()).toEqual(Object.keys(policyScopes).sort());
});

test('a limit is a rule of the policy, a step of the service is none', () => {
  const limit = { per: 'sender', window: 'day', unit: 'usdMicros', max: 1n } as const;
  const [ruling] =
    policyRules.hold['policy-limits']?.decide({ counts: [{ limit, windowStart: 0, used: 0n, asked: 1n }] }) ?? [];
  expect(ruling?.rule).toBe('limit-sender-day-usd');
  expect(isPolicyRule('limit-sender-day-usd')).toBe(true);
  expect(isPolicyRule('limit-sender-day-operations-of-method')).toBe(true);
  expect(isPolicyRule('operator-cost')).toBe(false);
});
