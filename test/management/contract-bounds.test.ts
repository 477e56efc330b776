import { describe, expect, test } from 'vitest';
import { maxMethodParameters, maxSelectors } from '../../contract/limits.ts';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { policyText } from '../../core/policies/policy-text.ts';
import { ruleOnCalls } from '../../core/policies/rules/rule-on-calls.ts';
import { accepted, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';
import { setUpAddress } from '../support/interface/largest-set-up.ts';

const flags = (count: number) => Array.from({ length: count }, () => ({ type: 'bool' }));
const methods = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `m${at}` }));

/** An item of an ABI. */
type AbiItem = { readonly name: string; readonly inputs?: readonly object[]; readonly stateMutability?: string };

async function start() {
  const { management, profiles, store } = await startManagement();
  const { owned, paymaster } = await newPaymaster(management);
  const register = (index: number, items: readonly AbiItem[], whitelisted = items.length) =>
    management.registerSmartContract({
      ...owned,
      name: `Contract ${index}`,
      address: setUpAddress(index),
      abi: JSON.stringify(items),
      whitelistedMethods: items.slice(0, whitelisted).map(({ name }) => name),
    });
  const find = async () => (await profiles.find(paymaster.apiKey)) ?? expect.unreachable();
  return { management, profiles, store, owned, register, find };
}

describe('a method of a contract', () => {
  test.each([
    ['plain parameters', flags(maxMethodParameters), flags(maxMethodParameters + 1)],
    [
      'a tuple',
      [{ type: 'tuple[]', components: flags(maxMethodParameters) }],
      [{ type: 'tuple[]', components: flags(maxMethodParameters + 1) }],
    ],
    ['arrays of a fixed length', [{ type: 'uint256[16][16]' }], [{ type: 'uint256[16][16]' }, { type: 'bool' }]],
    [
      'tuples in arrays of a fixed length',
      [{ type: 'tuple[128]', components: flags(2) }],
      [{ type: 'tuple[128]', components: flags(3) }],
    ],
  ])('has at most 256 parameters, in %s', async (_, most, more) => {
    const { register } = await start();
    accepted(await register(0, [{ name: 'full', inputs: most }]));
    expect(refusalOf(await register(1, [{ name: 'over', inputs: more }]))).toMatch(
      /^INVALID_FIELD: abi must have at most 256 parameters in each method.* Leave out over, which has more$/,
    );
    accepted(await register(2, [{ name: 'read', inputs: more, stateMutability: 'view' }], 0));
  });

  test('that was registered with more before refuses every call of its contract, and names it', async () => {
    const { store, owned, register, find } = await start();
    accepted(await register(0, [{ name: 'act', inputs: flags(1) }]));
    const contract = setUpAddress(0);
    const abi = JSON.stringify([{ name: 'act', inputs: flags(24_000) }]);
    await store.db.updateTable('contracts').set({ abi }).execute();
    const callRules = [{ contract, method: 'act', where: [{ argument: '0', is: 'true' }] }];
    const policy = { ...defaultPolicy, callRules };
    const row = { paymaster_id: owned.paymasterId, policy: policyText(policy), updated_at: 0 };
    await store.db.insertInto('policies').values(row).execute();
    const broken = (await find()).callRules.get(contract.toLowerCase())?.broken;
    expect(broken).toBe(
      'callRules[0].method must be a method whose arguments can be read, and act(bool) has more than 256 parameters',
    );
  });
});

describe('the contracts of a paymaster', () => {
  test('whitelist at most 5,000 methods together', async () => {
    const { management, owned, register } = await start();
    for (const index of [0, 1, 2, 3, 4]) accepted(await register(index, methods(1_000)));
    const message =
      'INVALID_FIELD: whitelistedMethods must leave the contracts of the paymaster with at most 5000 methods together, overloads included. The others have 5000';
    expect(refusalOf(await register(5, methods(1)))).toBe(message);
    accepted(await register(5, methods(1), 0));
    const change = { ...owned, address: setUpAddress(5), whitelistedMethods: ['m0'] };
    expect(refusalOf(await management.updateSmartContract(change))).toBe(message);
    accepted(await management.updateSmartContract({ ...owned, address: setUpAddress(0), whitelistedMethods: ['m0'] }));
    accepted(await management.updateSmartContract(change));
  });

  test('that whitelisted more before keep the first of them, and a call of another is refused by its address', async () => {
    const { store, register, find } = await start();
    accepted(await register(0, methods(1)));
    accepted(await register(1, methods(1)));
    const selectors = JSON.stringify(
      Array.from({ length: maxSelectors }, (_, at) => `0x${String(at).padStart(8, '0')}`),
    );
    await store.db.updateTable('contracts').set({ selectors }).where('name', '=', 'Contract 1').execute();
    const { contracts } = await find();
    expect(contracts.get(setUpAddress(0).toLowerCase())?.selectors.size).toBe(1);
    const call = { target: setUpAddress(1), selector: '0x00000000' } as const;
    const { refusal } = ruleOnCalls({ contracts, policy: defaultPolicy }, { calls: [call], deploysOnly: false });
    expect(refusal).toMatchObject({ reason: 'METHOD_NOT_WHITELISTED', message: expect.stringContaining(call.target) });
  });
});

test('an ABI is parsed once, however many policies have rules on its methods', async () => {
  const { management, profiles, owned, register, find } = await start();
  const abi = [{ name: 'act', inputs: flags(1) }];
  accepted(await register(0, abi));
  const callRules = [{ contract: setUpAddress(0), method: 'act', where: [{ argument: '0', is: 'true' }] }];
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const input = { ...owned, head: { name, enabled: true }, policy: { ...defaultPolicy, callRules } };
    ids.push(accepted(await management.createPolicy(input)).policyId);
  }
  const profile = await find();
  const rules = await Promise.all(ids.map(async (id) => (await profiles.choose(profile, id))?.callRules));
  const parametersOf = (index: number) =>
    [...(rules[index]?.get(setUpAddress(0).toLowerCase())?.methods.values() ?? [])].map(({ parameters }) => parameters);
  expect(parametersOf(0)).toHaveLength(1);
  expect(parametersOf(1)[0]).toBe(parametersOf(0)[0]);
  expect(parametersOf(2)[0]).toBe(parametersOf(0)[0]);
});
