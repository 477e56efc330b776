import { describe, expect, test } from 'vitest';
import type { PolicyHead } from '../../core/domain/named-policy.ts';
import { defaultPolicy, type Policy, type PolicyLimit } from '../../core/domain/policy.ts';
import { accepted, newPaymaster, refusalOf, startManagement, startTime } from '../support/core/start-management.ts';

const head: PolicyHead = {
  name: 'Players',
  description: 'The first moves of a new player',
  author: 'Example Games',
  icon: 'data:image/png;base64,iVBORw0KGgo=',
  enabled: true,
};
const policy: Policy = { ...defaultPolicy, sponsorAllCalls: true, maxGasPerOperation: 1_000_000 };
const limit: PolicyLimit = { per: 'total', window: 'day', unit: 'operations', max: 5n };

async function start() {
  const parts = await startManagement();
  const { owned, paymaster } = await newPaymaster(parts.management);
  const create = (over: Partial<PolicyHead> = {}, changes: Partial<Policy> = {}) =>
    parts.management.createPolicy({ ...owned, head: { ...head, ...over }, policy: { ...policy, ...changes } });
  return { ...parts, owned, paymaster, create };
}

describe('a named policy', () => {
  test('is kept whole under an id of its own, replaced as a whole, and gone once it is deleted', async () => {
    const { management, clock, owned, create } = await start();
    const created = accepted(await create());
    expect(created).toEqual({
      ...head,
      policyId: created.policyId,
      createdAt: startTime,
      updatedAt: startTime,
      policy,
      etag: expect.any(String),
    });
    expect(created.policyId).toMatch(/^tfp_[0-9a-f]{32}$/);
    const { policyId } = created;
    expect(accepted(await management.readNamedPolicy({ ...owned, policyId }))).toEqual(created);
    expect(accepted(await management.listPolicies(owned)).policies).toEqual([created]);
    expect(accepted(await management.readPolicy(owned))).toMatchObject(defaultPolicy);
    clock.advance(60);
    const next = { head: { name: 'Others', enabled: false }, policy: { ...defaultPolicy, limits: [limit] } };
    const replaced = accepted(await management.replacePolicy({ ...owned, policyId, ...next }));
    expect(replaced).toEqual({
      ...next.head,
      policyId,
      createdAt: startTime,
      updatedAt: startTime + 60,
      policy: next.policy,
      etag: expect.not.stringMatching(created.etag ?? ''),
    });
    expect(accepted(await management.deletePolicy({ ...owned, policyId }))).toEqual(replaced);
    expect(accepted(await management.listPolicies(owned)).policies).toEqual([]);
    for (const gone of [
      management.readNamedPolicy({ ...owned, policyId }),
      management.replacePolicy({ ...owned, policyId, ...next }),
      management.deletePolicy({ ...owned, policyId }),
      management.previewPolicy({ ...owned, policyId, policy }),
    ]) {
      expect(refusalOf(await gone)).toBe('POLICY_NOT_FOUND: Policy not found');
    }
  });

  test('has a name that no other one of its paymaster has', async () => {
    const { management, owned, create } = await start();
    const { policyId } = accepted(await create());
    expect(refusalOf(await create())).toBe('POLICY_NAME_EXISTS: Policy name already exists');
    const other = accepted(await create({ name: 'Others' }));
    const renamed = { ...owned, policyId: other.policyId, head, policy };
    expect(refusalOf(await management.replacePolicy(renamed))).toContain('POLICY_NAME_EXISTS');
    expect(accepted(await management.replacePolicy({ ...renamed, policyId })).name).toBe(head.name);
    const elsewhere = await newPaymaster(management, 'Elsewhere');
    accepted(await management.createPolicy({ ...elsewhere.owned, head, policy }));
  });

  test('is listed by name, and after a cursor those that come later', async () => {
    const { management, owned, create } = await start();
    for (const name of ['c', 'a', 'b']) accepted(await create({ name }));
    const namesFrom = async (page: { cursor?: string }) =>
      accepted(await management.listPolicies({ ...owned, ...page })).policies.map(({ name }) => name);
    expect([await namesFrom({}), await namesFrom({ cursor: 'a' })]).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  test('is one of 50 at most', async () => {
    const { create } = await start();
    for (let number = 0; number < 50; number += 1) accepted(await create({ name: `Policy ${number}` }));
    expect(refusalOf(await create())).toBe('TOO_MANY_POLICIES: A paymaster can have at most 50 named policies');
  });

  test.each<[string, Partial<PolicyHead>, Partial<Policy>]>([
    ['name must be a string of 1 to 100 printable characters', { name: ' ' }, {}],
    ['author must be a string of 1 to 100 printable characters', { author: 'a\u202Eb' }, {}],
    ['description must be a string of at most 500 printable characters', { description: 'a'.repeat(501) }, {}],
    ['icon must be a data URI of an image with at most 16384 characters', { icon: 'https://logo.example/a.png' }, {}],
    ['icon must be a data URI of an image with at most 16384 characters', { icon: 'data:text/html,<b>' }, {}],
    ['maxFeePerGas must be a whole number from 0 to', {}, { maxFeePerGas: -1n }],
  ])('that cannot be meant is refused and changes nothing: %s', async (message, over, changes) => {
    const { management, owned, create } = await start();
    expect(refusalOf(await create(over, changes))).toContain(`INVALID_FIELD: ${message}`);
    expect(accepted(await management.listPolicies(owned)).policies).toEqual([]);
    const { policyId } = accepted(await create());
    const next = { head: { ...head, ...over }, policy: { ...policy, ...changes } };
    expect(refusalOf(await management.replacePolicy({ ...owned, policyId, ...next }))).toContain(message);
    expect(accepted(await management.readNamedPolicy({ ...owned, policyId }))).toMatchObject({ ...head, policy });
  });

  test('may be chosen from the next request on, until it is closed, and is never the default one', async () => {
    const { management, profiles, owned, paymaster, create } = await start();
    const find = async () => (await profiles.find(paymaster.apiKey)) ?? expect.unreachable();
    expect((await find()).named.size).toBe(0);
    const { policyId } = accepted(await create());
    const profile = await find();
    expect((await profiles.choose(profile, policyId))?.policy).toEqual(policy);
    expect(profile.policy).toEqual(defaultPolicy);
    accepted(await management.replacePolicy({ ...owned, policyId, head: { ...head, enabled: false }, policy }));
    expect((await find()).named.size).toBe(0);
    accepted(await management.replacePolicy({ ...owned, policyId, head, policy }));
    expect((await find()).named.size).toBe(1);
    accepted(await management.deletePolicy({ ...owned, policyId }));
    expect((await find()).named.size).toBe(0);
  });

  test('that cannot be read is not there to be chosen, and leaves the others alone', async () => {
    const { store, profiles, paymaster, create } = await start();
    const broken = accepted(await create());
    const whole = accepted(await create({ name: 'Others' }));
    const { policyId } = broken;
    await store.db.updateTable('named_policies').set({ policy: '{}?' }).where('policy_id', '=', policyId).execute();
    const profile = (await profiles.find(paymaster.apiKey)) ?? expect.unreachable();
    expect(await profiles.choose(profile, policyId)).toBeUndefined();
    expect(await profiles.choose(profile, whole.policyId)).toMatchObject({ name: 'Others' });
  });
});
