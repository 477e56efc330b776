import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describePolicyChanges, findPolicyChanges } from '../../clients/cli/policy-file/policy-changes.ts';
import { type PoliciesInForce, parsePolicyDocument } from '../../clients/cli/policy-file/policy-document.ts';
import type { PolicyRequest } from '../../contract/policy.ts';
import { PolicyRequestSchema } from '../../contract/policy-fields.ts';
import { policyItem, readPolicyRequest } from '../../core/domain/policy-item.ts';
import { checkPolicy } from '../../core/policies/check-policy.ts';
import { arbitraryPolicy } from './arbitrary-policy.ts';

const parse = (file: unknown) => parsePolicyDocument(JSON.stringify(file), 'policy.json');
const keep = { prune: false };

/** A policy as a service answers it once it is set. */
function stored(policy: PolicyRequest) {
  const checked = checkPolicy(readPolicyRequest(PolicyRequestSchema.parse(policy)));
  if (!checked.ok) throw new Error(checked.refusal.message);
  return policyItem(checked.value);
}

function inForce(policy: PolicyRequest, named: Readonly<Record<string, PolicyRequest>> = {}): PoliciesInForce {
  const policies = Object.entries(named).map(([name, one], index) => ({
    policyId: `tfp_${index}`,
    name,
    enabled: true,
    createdAt: 1,
    updatedAt: 1,
    policy: stored(one),
  }));
  return { policy: stored(policy), policies };
}

/** A value with the items of every list and the fields of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, reversed(inner)])
      .reverse(),
  );
}

const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z]{1,8}$/), { maxLength: 3 });
const world = fc.tuple(arbitraryPolicy, names, fc.array(arbitraryPolicy, { minLength: 3, maxLength: 3 }));

test('what was exported changes nothing, nor does the order of what is in it', () => {
  fc.assert(
    fc.property(world, ([policy, named, policies]) => {
      const now = inForce(policy, Object.fromEntries(named.map((name, index) => [name, policies[index] ?? {}])));
      const entries = now.policies.map(({ policyId: _, createdAt: __, updatedAt: ___, ...entry }) => entry);
      const file = { policy: now.policy, policies: entries };
      for (const written of [file, reversed(file)]) {
        expect(findPolicyChanges(parse(written), now, { prune: true })).toEqual({ changes: [], kept: [] });
      }
    }),
  );
});

test('a policy as it was sent, and not as it is answered, is the same', () => {
  fc.assert(
    fc.property(arbitraryPolicy, (policy) => {
      expect(findPolicyChanges(parse({ policy }), inForce(policy), keep).changes).toEqual([]);
    }),
  );
});

test('no switch, number or choice that differs is left out, and none that is the same is named', () => {
  fc.assert(
    fc.property(arbitraryPolicy, arbitraryPolicy, (before, after) => {
      const [change] = findPolicyChanges(parse({ policy: after }), inForce(before), keep).changes;
      const named = new Set(change?.fields.map(({ field }) => field));
      const [from, to]: Readonly<Record<string, unknown>>[] = [stored(before), stored(after)];
      for (const name of new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])) {
        const values = [from?.[name], to?.[name]];
        if (values.every((value) => typeof value !== 'object')) {
          expect(named.has(name), name).toBe(values[0] !== values[1]);
        }
      }
    }),
  );
});

test('each change is said with what was and what will be', () => {
  const limit = { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '5' } as const;
  const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const now = inForce(
    { maxFeePerGas: '7', maxCostPerOperation: { wei: '1', usd: '0.5' }, limits: [limit], notAfter: 9 },
    { Players: { blockedSenders: [other] }, Old: {}, Same: {} },
  );
  const file = {
    policy: {
      maxFeePerGas: '8',
      maxCostPerOperation: { wei: '1' },
      limits: [{ ...limit, max: '6.00' }],
      allowedSenders: [],
    },
    policies: [
      { name: 'New\u0301', enabled: false, policy: { sponsorAllCalls: true } },
      { name: 'Players', description: 'First moves', policy: {} },
      { name: 'Same', policy: {} },
    ],
  };
  const found = findPolicyChanges(parse(file), now, keep);
  expect(found).toEqual({
    changes: [
      {
        action: 'change',
        fields: [
          { field: 'allowedSenders', to: [] },
          { field: 'limits', from: [{ ...limit, max: '5.00' }], to: [{ ...limit, max: '6.00' }] },
          { field: 'maxCostPerOperation.usd', from: '0.50' },
          { field: 'maxFeePerGas', from: '7', to: '8' },
          { field: 'notAfter', from: 9 },
        ],
      },
      {
        action: 'change',
        name: 'Players',
        policyId: 'tfp_0',
        fields: [
          { field: 'description', to: 'First moves' },
          { field: 'policy.blockedSenders', from: [other], to: [] },
        ],
      },
      {
        action: 'create',
        name: 'New\u0301',
        fields: [
          { field: 'enabled', to: false },
          { field: 'policy.sponsorAllCalls', from: false, to: true },
        ],
      },
    ],
    kept: [{ name: 'Old', policyId: 'tfp_1' }],
  });
  expect(describePolicyChanges(found)).toEqual([
    'The default policy changes:',
    '  allowedSenders: not set → a list',
    '  limits',
    '    - {"per":"TOTAL","window":"DAY","unit":"USD","max":"5.00"}',
    '    + {"per":"TOTAL","window":"DAY","unit":"USD","max":"6.00"}',
    '  maxCostPerOperation.usd: "0.50" → not set',
    '  maxFeePerGas: "7" → "8"',
    '  notAfter: 9 → not set',
    'The policy "Players" (tfp_0) changes:',
    '  description: not set → "First moves"',
    '  policy.blockedSenders',
    `    - "${other}"`,
    'The policy "New\u0301" is new:',
    '  enabled: not set → false',
    '  policy.sponsorAllCalls: false → true',
    'The policy "Old" (tfp_1) is not in the file and stays: --prune deletes it.',
  ]);
});

test('a policy goes only where pruning is asked for, and before new ones come', () => {
  const now = inForce({}, { Old: {} });
  const file = parse({ policy: {}, policies: [{ name: 'New', policy: {} }] });
  expect(findPolicyChanges(file, now, keep).changes.map(({ action }) => action)).toEqual(['create']);
  const { changes, kept } = findPolicyChanges(file, now, { prune: true });
  expect(changes.map(({ action, name }) => [action, name])).toEqual([
    ['delete', 'Old'],
    ['create', 'New'],
  ]);
  expect(kept).toEqual([]);
});

test('more policies than a paymaster can have are refused before one is made', () => {
  const now = inForce({}, Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`Old ${index}`, {}])));
  const policies = Array.from({ length: 21 }, (_, index) => ({ name: `New ${index}`, policy: {} }));
  const file = parse({ policy: {}, policies });
  expect(() => findPolicyChanges(file, now, keep)).toThrow('at most 50 named policies');
  expect(findPolicyChanges(file, now, { prune: true }).changes).toHaveLength(51);
});
