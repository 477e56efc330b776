import { encodeFunctionData, erc20Abi, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { defaultPolicy, type LimitWindow, type Policy, type PolicyLimit } from '../../core/domain/policy.ts';
import { numbersOf, ownerOfPolicy, toLimitNumbers } from '../../core/ledger/accounts/limit-numbers.ts';
import { allCounters, storedCounters, toCounters } from '../../core/ledger/counters.ts';
import { ruleOnArguments } from '../../core/policies/rules/rule-on-arguments.ts';
import { runTogether } from '../../core/store/statements/run-together.ts';
import { accepted, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';

const sender = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const full: Policy = {
  ...defaultPolicy,
  sponsorAllCalls: true,
  allowAccountDeployment: true,
  allowRevertingOperations: true,
  maxCostWei: 10n ** 27n,
  maxCostUsdMicros: 10n ** 15n,
  maxFeePerGas: 0n,
  allowedSenders: [sender],
  blockedSenders: [sender],
  tokens: { enabled: false, allowed: [sender], tokenRecipient: sender },
  notBefore: 0,
  notAfter: 1,
  pauses: [{ days: [1, 7], from: 0, until: 1_439 }],
  limits: [
    { per: 'sender', window: 'ever', unit: 'wei', max: 10n ** 27n },
    { per: 'total', window: 'ever', unit: 'wei', max: 0n },
  ],
};
const wei = (window: LimitWindow, per: PolicyLimit['per'] = 'total'): PolicyLimit => ({
  per,
  window,
  unit: 'wei',
  max: 1n,
});

/** The version of a policy: `test/management/object-versions.test.ts` says what it is good for. */
const etag = expect.any(String);

const callRule = { contract: sender, method: 'transfer', where: [{ argument: 'to', is: 'msg.sender' }] } as const;

async function start() {
  const parts = await startManagement();
  const { owned, paymaster } = await newPaymaster(parts.management);
  const set = (changes: Partial<Policy>) =>
    parts.management.setPolicy({ ...owned, policy: { ...defaultPolicy, ...changes } });
  return { ...parts, owned, paymaster, set };
}

describe('the policy of a paymaster', () => {
  test('is the default one until one is set', async () => {
    const { management, owned } = await start();
    expect(accepted(await management.readPolicy(owned))).toEqual({ ...defaultPolicy, etag });
  });

  test('is kept whole, and replaced as a whole', async () => {
    const { management, owned, set } = await start();
    expect(accepted(await set(full))).toEqual({ ...full, etag });
    expect(accepted(await management.readPolicy(owned))).toEqual({ ...full, etag });
    accepted(await set({ maxFeePerGas: 7n }));
    expect(accepted(await management.readPolicy(owned))).toEqual({ ...defaultPolicy, maxFeePerGas: 7n, etag });
  });

  test('has its senders checksummed, each once', async () => {
    const { set } = await start();
    const lower = sender.toLowerCase() as typeof sender;
    const policy = accepted(await set({ allowedSenders: [lower, sender], blockedSenders: [lower] }));
    expect([policy.allowedSenders, policy.blockedSenders]).toEqual([[sender], [sender]]);
  });

  test('is in force for the next sponsorship, and only for its paymaster', async () => {
    const { management, profiles, paymaster, set } = await start();
    const other = await newPaymaster(management, 'Other');
    const policyOf = async (apiKey: string) => (await profiles.find(apiKey))?.policy;
    expect(await policyOf(paymaster.apiKey)).toEqual(defaultPolicy);
    expect(await policyOf(other.paymaster.apiKey)).toEqual(defaultPolicy);
    accepted(await set({ sponsorAllCalls: true }));
    expect(await policyOf(paymaster.apiKey)).toEqual({ ...defaultPolicy, sponsorAllCalls: true });
    expect(await policyOf(other.paymaster.apiKey)).toEqual(defaultPolicy);
  });

  test('is in the profile that is found by the id of the paymaster', async () => {
    const { profiles, owned, paymaster, set } = await start();
    accepted(await set({ maxFeePerGas: 7n }));
    const found = await profiles.find(paymaster.apiKey);
    expect(found).toMatchObject({ ...(await profiles.findById(owned.paymasterId)) });
    expect(found?.policy.maxFeePerGas).toBe(7n);
    expect(await profiles.findById('unknown')).toBeUndefined();
  });
});

describe('a policy that cannot be meant is refused with the field, and changes nothing', () => {
  const senders = (count: number) => Array.from({ length: count }, () => sender) as readonly (typeof sender)[];
  test.each<[string, Partial<Policy>]>([
    [`maxCostPerOperation.wei must be a whole number from 0 to ${10n ** 27n}`, { maxCostWei: 10n ** 27n + 1n }],
    [`maxCostPerOperation.wei must be a whole number from 0 to ${10n ** 27n}`, { maxCostWei: -1n }],
    ['maxCostPerOperation.usd must be an amount of USD from 0 to 1000000000', { maxCostUsdMicros: 10n ** 15n + 1n }],
    [`maxFeePerGas must be a whole number from 0 to ${10n ** 27n}`, { maxFeePerGas: -1n }],
    ['notBefore must be Unix seconds from 0 to 253402300799', { notBefore: 1.5 }],
    ['notAfter must be Unix seconds from 0 to 253402300799', { notAfter: 253_402_300_800 }],
    ['notAfter must be later than notBefore', { notBefore: 5, notAfter: 5 }],
    ['userPaysPercent must be a whole number from 1 to 99', { userPaysPercent: 0 }],
    ['userPaysPercent must be a whole number from 1 to 99', { userPaysPercent: 100 }],
    ['userPaysPercent must be a whole number from 1 to 99', { userPaysPercent: 1.5 }],
    [
      'userPaysPercent needs tokens.enabled. Without it users cannot pay a share',
      { userPaysPercent: 50, tokens: { enabled: false, allowed: [] } },
    ],
    ['maxValiditySeconds must be a whole number from 30 to 86400', { maxValiditySeconds: 29 }],
    ['maxValiditySeconds must be a whole number from 30 to 86400', { maxValiditySeconds: 86_401 }],
    [
      'maxValiditySeconds must be at most 3600, which the operator sets as validity.maxSecondsByPolicy',
      { maxValiditySeconds: 3_601 },
    ],
    ['pauses[0].days must name at least one day', { pauses: [{ days: [], from: 0, until: 1 }] }],
    ['pauses[0].days must name each day once', { pauses: [{ days: [1, 2, 1], from: 0, until: 1 }] }],
    ['pauses[0].days[0] must be a day of the week, 1 to 7', { pauses: [{ days: [8 as 7], from: 0, until: 1 }] }],
    [
      'pauses[1].from must be a time from 00:00 to 23:59',
      {
        pauses: [
          { days: [1], from: 0, until: 1 },
          { days: [1], from: 1_440, until: 1 },
        ],
      },
    ],
    ['pauses[0].until must be a time from 00:00 to 23:59', { pauses: [{ days: [1], from: 0, until: -1 }] }],
    [
      'pauses must hold at most 20 items',
      { pauses: Array.from({ length: 21 }, () => ({ days: [1] as const, from: 0, until: 1 })) },
    ],
    [
      'limits[2] must differ from limits[0] in per, window, unit, contract or method',
      { limits: [wei('day'), wei('hour'), { ...wei('day'), max: 9n }] },
    ],
    [`limits[0].max must be a whole number from 0 to ${10n ** 27n}`, { limits: [{ ...wei('day'), max: -1n }] }],
    [
      'limits[0].max must be an amount of USD from 0 to 1000000000',
      { limits: [{ per: 'sender', window: 'day', unit: 'usdMicros', max: 10n ** 15n + 1n }] },
    ],
    [
      `limits[0].max must be a whole number from 0 to ${10n ** 15n}`,
      { limits: [{ per: 'sender', window: 'day', unit: 'operations', max: 10n ** 15n + 1n }] },
    ],
    ['blockedSenders must hold at most 1000 items', { blockedSenders: senders(1_001) }],
    [
      'allowedSenders[1] must be a valid address',
      { allowedSenders: [sender, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'] },
    ],
    ['tokens.allowed must hold at most 100 items', { tokens: { enabled: true, allowed: senders(101) } }],
    [
      'tokens.tokenRecipient must be a valid address',
      { tokens: { enabled: true, allowed: [], tokenRecipient: '0x0000000000000000000000000000000000000000' } },
    ],
    [
      'callRules[0].contract must be a registered contract: register 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed, or remove the rule',
      { callRules: [callRule] },
    ],
    ['callRules[0].where must hold at least one condition', { callRules: [{ ...callRule, where: [] }] }],
    [
      'callRules[0].where[0] must hold one of is, isNot, atLeast, atMost and in',
      { callRules: [{ ...callRule, where: [{ argument: 'to' }] }] },
    ],
    [
      'callRules[0].where[0].in must hold at least one value',
      { callRules: [{ ...callRule, where: [{ argument: 'to', in: [] }] }] },
    ],
    [
      'callRules must hold at most 1000 values together',
      { callRules: [1, 2].map(() => ({ ...callRule, where: [{ argument: 'to', in: Array(501).fill('1') }] })) },
    ],
    ['callRules must hold at most 100 items', { callRules: Array.from({ length: 101 }, () => callRule) }],
    ['blockedSenders[0] must be a valid address', { blockedSenders: ['0x0000000000000000000000000000000000000000'] }],
  ])('%s', async (message, changes) => {
    const { management, owned, set } = await start();
    expect(refusalOf(await set(changes))).toBe(`INVALID_FIELD: ${message}`);
    const preview = await management.previewPolicy({ ...owned, policy: { ...defaultPolicy, ...changes } });
    expect(refusalOf(preview)).toBe(`INVALID_FIELD: ${message}`);
    expect(accepted(await management.readPolicy(owned))).toEqual({ ...defaultPolicy, etag });
  });
});

describe('rules on arguments', () => {
  const abi = (signature: string) => JSON.stringify(parseAbi([signature]));
  const transfer = abi('function transfer(address to, uint256 amount)');

  /** What the rules in force say of a transfer of the sender to itself, in one word. */
  async function startRuled() {
    const started = await start();
    const { management, owned, profiles, paymaster } = started;
    const token = { ...owned, name: 'Token', address: sender, whitelistedMethods: ['transfer'] };
    accepted(await management.registerSmartContract({ ...token, abi: transfer }));
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sender, 1n] });
    const call = { target: sender, selector: '0xa9059cbb', content: { value: 0n, data } } as const;
    const ruled = async () => {
      const rules = (await profiles.find(paymaster.apiKey))?.callRules ?? new Map();
      return ruleOnArguments(rules, [call], sender)[0]?.refusal?.message ?? 'passed';
    };
    return { ...started, token, ruled };
  }

  test('are in force with the policy, and the next change of it', async () => {
    const { set, ruled } = await startRuled();
    accepted(await set({ callRules: [callRule] }));
    expect(await ruled()).toBe('passed');
    accepted(await set({ callRules: [{ ...callRule, where: [{ argument: 'to', isNot: 'msg.sender' }] }] }));
    expect(await ruled()).toContain('not msg.sender');
  });

  test('of a contract that is gone, or has come back with another ABI, let none of its calls through', async () => {
    const { management, owned, set, ruled, token } = await startRuled();
    accepted(await set({ callRules: [callRule] }));
    const gone = accepted(await management.deleteSmartContract({ ...owned, address: sender }));
    expect(gone.brokenRules).toEqual([expect.stringContaining('callRules[0].contract must be a registered contract')]);
    expect(await ruled()).toContain('must be a registered contract');
    accepted(
      await management.registerSmartContract({
        ...token,
        abi: abi('function transfer(address receiver, uint256 amount)'),
      }),
    );
    expect(await ruled()).toContain('must be one of receiver, amount');
    accepted(await management.deleteSmartContract({ ...owned, address: sender }));
    accepted(await management.registerSmartContract({ ...token, abi: transfer }));
    expect(await ruled()).toBe('passed');
  });

  test('of a named policy are reported with its name when their contract is deleted', async () => {
    const { management, owned } = await startRuled();
    const policy = { ...defaultPolicy, callRules: [callRule] };
    accepted(await management.createPolicy({ ...owned, head: { name: 'Players', enabled: true }, policy }));
    const { brokenRules } = accepted(await management.deleteSmartContract({ ...owned, address: sender }));
    const problem = 'policy Players: callRules[0].contract must be a registered contract';
    expect(brokenRules).toEqual([expect.stringContaining(problem)]);
  });
});

describe('what limits have counted', () => {
  /** The numbers under which the paymaster's limits count, by what they count. */
  async function startNumbered() {
    const started = await start();
    const { store, owned } = started;
    const hold = { paymasterId: owned.paymasterId, policyId: '', sender, keyNumber: 0 };
    /** As the first hold that a limit counts. */
    const count = (limits: readonly PolicyLimit[]) =>
      store.transaction(async (trx) => {
        const [rows, next] = await runTogether(trx, numbersOf([ownerOfPolicy(hold)]), storedCounters(allCounters));
        const counters = toCounters(next);
        const numbers = toLimitNumbers(rows, counters);
        const given = limits.map((limit) => numbers.of(ownerOfPolicy(hold), limit));
        await runTogether(trx, numbers.writes(), counters.writes());
        return given;
      });
    return { ...started, count };
  }

  test('goes on where a limit counts the same as before, whatever its maximum, and begins again otherwise', async () => {
    const { set, count } = await startNumbered();
    const [daily, hourly, ofSender] = [wei('day'), wei('hour'), wei('day', 'sender')];
    accepted(await set({ limits: [daily, hourly, ofSender] }));
    expect(await count([daily, hourly, ofSender])).toEqual([1, 2, 3]);
    accepted(await set({ limits: [wei('month'), ofSender, { ...daily, max: 5n }] }));
    expect(await count([{ ...daily, max: 5n }, ofSender, wei('month')])).toEqual([1, 3, 4]);
    accepted(await set({ limits: [hourly, { ...daily, unit: 'usdMicros' }] }));
    expect(await count([hourly, { ...daily, unit: 'usdMicros' }])).toEqual([5, 6]);
  });

  test('goes on when the new policy is refused', async () => {
    const { set, count } = await startNumbered();
    accepted(await set({ limits: [wei('day')] }));
    await count([wei('day')]);
    refusalOf(await set({ notBefore: -1 }));
    expect(await count([wei('day')])).toEqual([1]);
  });
});
