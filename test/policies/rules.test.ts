import { counted } from '@tollfree/contract/counted';
import { Attribution } from 'ox/erc8021';
import { type Address, concat, concatHex, encodeFunctionData, type Hex, parseAbi as parseSignatures, size } from 'viem';
import { describe, expect, test } from 'vitest';
import { defaultPolicy, type Policy } from '../../core/domain/policy.ts';
import { parseAbi, toContractMethods } from '../../core/evm/abi/parse-abi.ts';
import { readCalledLimits } from '../../core/policies/called-limits.ts';
import { type AskedCalls, ruleOnCalls } from '../../core/policies/rules/rule-on-calls.ts';
import { ruleOnCost } from '../../core/policies/rules/rule-on-cost.ts';
import { ruleOnGas, ruleOnGasPrice, ruleOnMethodGas } from '../../core/policies/rules/rule-on-gas.ts';
import { ruleOnRelay } from '../../core/policies/rules/rule-on-relay.ts';
import { ruleOnAccount, ruleOnSender } from '../../core/policies/rules/rule-on-sender.ts';
import { ruleOnTicket } from '../../core/policies/rules/rule-on-ticket.ts';
import { ruleOnPause, ruleOnPeriod } from '../../core/policies/rules/rule-on-time.ts';
import { offersTokenPayment, ruleOnShare, ruleOnToken, takesToken } from '../../core/policies/rules/rule-on-token.ts';
import { accepted } from '../support/core/start-management.ts';

const alice = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const bob = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const lower = (address: Address) => address.toLowerCase() as Address;
const policy = (parts: Partial<Policy>): Policy => ({ ...defaultPolicy, ...parts });
/** Monday 2 March 2026, midnight UTC. */
const monday = Date.UTC(2026, 2, 2) / 1_000;
const at = (day: number, hour: number, minute = 0) => monday + ((day - 1) * 24 + hour) * 3_600 + minute * 60;

describe('senders', () => {
  test('anybody is sponsored while nothing is said about senders', () => {
    expect(ruleOnSender(policy({}), alice).refusal).toBeUndefined();
  });

  test('a blocked sender is refused however its address is written', () => {
    const blocked = policy({ blockedSenders: [alice] });
    expect(ruleOnSender(blocked, lower(alice)).refusal?.reason).toBe('SENDER_BLOCKED');
    expect(ruleOnSender(blocked, bob).refusal).toBeUndefined();
  });

  test('with an allowed list only those on it are sponsored', () => {
    const allowed = policy({ allowedSenders: [lower(alice)] });
    expect(ruleOnSender(allowed, alice).refusal).toBeUndefined();
    expect(ruleOnSender(allowed, bob).refusal?.reason).toBe('SENDER_BLOCKED');
  });

  test('an empty allowed list sponsors no one', () => {
    expect(ruleOnSender(policy({ allowedSenders: [] }), alice).refusal?.reason).toBe('SENDER_BLOCKED');
  });

  test('blocked wins over allowed', () => {
    const both = policy({ allowedSenders: [alice], blockedSenders: [alice] });
    expect(ruleOnSender(both, alice).refusal?.details).toMatchObject({ list: 'blockedSenders' });
  });
});

describe('tokens', () => {
  const taking = (tokens: NonNullable<Policy['tokens']>) => policy({ tokens });

  test('users may pay in any token while nothing is said, or no list is given', () => {
    expect(ruleOnToken(policy({}), alice).refusal).toBeUndefined();
    expect(ruleOnToken(taking({ enabled: true, allowed: [] }), alice).refusal).toBeUndefined();
  });

  test('in none where that is switched off, not even for a quote', () => {
    const off = taking({ enabled: false, allowed: [alice] });
    for (const token of [alice, undefined] as const) {
      expect(ruleOnToken(off, token).refusal).toMatchObject({
        reason: 'TOKEN_NOT_SUPPORTED',
        details: { policy: 'tokens.enabled' },
      });
    }
  });

  test('in those of a list alone, however they are written', () => {
    const listed = taking({ enabled: true, allowed: [alice] });
    expect(ruleOnToken(listed, lower(alice)).refusal).toBeUndefined();
    expect(ruleOnToken(listed, bob).refusal).toMatchObject({ reason: 'TOKEN_NOT_SUPPORTED', details: { token: bob } });
    expect(ruleOnToken(listed, undefined).refusal).toBeUndefined();
  });

  test('a token is offered only if the policy takes it', () => {
    expect(takesToken(policy({}), alice)).toBe(true);
    expect(takesToken(taking({ enabled: false, allowed: [] }), alice)).toBe(false);
    expect(takesToken(taking({ enabled: true, allowed: [bob] }), alice)).toBe(false);
    expect(takesToken(taking({ enabled: true, allowed: [bob, alice] }), alice)).toBe(true);
  });

  test('a refusal names the token, or the percentage that users pay', () => {
    expect(ruleOnToken(taking({ enabled: true, allowed: [bob] }), alice).refusal?.message).toContain(alice);
    expect(ruleOnShare(policy({ userPaysPercent: 40 }))[0]?.refusal?.message).toContain('40 %');
  });

  test('pay for what a used-up limit no longer sponsors, but not while its use is unknown', () => {
    const refusal = { reason: 'LIMIT_EXCEEDED', limitKind: 'POLICY_LIMIT', message: 'no' } as const;
    const offering = policy({ thenPayInToken: true });
    expect(offersTokenPayment(offering, { ...refusal, details: { used: '1' } })).toBe(true);
    expect(offersTokenPayment(offering, { ...refusal, details: { max: '1' } })).toBe(false);
    expect(offersTokenPayment(offering, refusal)).toBe(false);
    expect(offersTokenPayment(offering, { ...refusal, limitKind: 'ACCOUNT_BUDGET' })).toBe(true);
    expect(offersTokenPayment(offering, { ...refusal, limitKind: 'POLICY_CAP', details: { used: '1' } })).toBe(false);
    expect(offersTokenPayment(policy({}), { ...refusal, details: { used: '1' } })).toBe(false);
  });
});

test('a call of the account itself that is not registered is named as that', () => {
  const contracts = new Map([[alice.toLowerCase(), { name: 'a', selectors: new Map() }]]);
  const messageOf = (sender: Address) =>
    ruleOnCalls({ contracts, policy: policy({}) }, { calls: [{ target: bob }], deploysOnly: false, sender }).refusal
      ?.message;
  expect(messageOf(bob)).toContain(`${bob}, the account itself, is called`);
  expect(messageOf(alice)).toContain(`${bob} is not registered`);
});

test.each([
  [
    () =>
      ruleOnCalls(
        { contracts: new Map(), policy: policy({ sponsorAllCalls: true }) },
        { calls: [{ target: bob }], deploysOnly: false },
      ),
    ['policy-calls', 1, 'sponsorAllCalls'],
  ],
  [
    () => ruleOnCalls({ contracts: new Map(), policy: policy({}) }, { calls: [{ target: bob }], deploysOnly: false }),
    ['policy-calls', 1, 0],
  ],
  [
    () =>
      ruleOnCalls(
        { contracts: new Map(), policy: policy({ allowAccountDeployment: true }) },
        { calls: [], deploysOnly: true },
      ),
    ['policy-calls', 'deployment', 'allowAccountDeployment'],
  ],
  [() => ruleOnSender(policy({}), alice), ['policy-sender', alice]],
  [() => ruleOnSender(policy({ allowedSenders: [alice] }), alice), ['policy-sender', alice, 'allowedSenders']],
  [() => ruleOnSender(policy({ blockedSenders: [alice] }), alice), ['policy-sender', alice, 'blockedSenders']],
  [
    () => ruleOnAccount(policy({}), undefined),
    ['policy-accounts', 'KNOWN', 'The code of the account could not be read.'],
  ],
  [() => ruleOnPeriod(policy({ notBefore: 1, notAfter: 9 }), 5), ['policy-period', 5, 1, 9]],
  [() => ruleOnPause(policy({}), 5), ['policy-pause', 5, false]],
  [() => ruleOnPause(policy({ pauses: [{ days: [1], from: 0, until: 1 }] }), 5), ['policy-pause', 5, true]],
  [() => ruleOnTicket(policy({}), 'subject:1')[0], ['policy-ticket', 'subject:1', false]],
  [() => ruleOnToken(policy({}), alice), ['policy-tokens', alice]],
  [() => ruleOnToken(policy({ tokens: { enabled: false, allowed: [] } }), alice), ['policy-tokens', alice, 'enabled']],
  [
    () => ruleOnToken(policy({ tokens: { enabled: true, allowed: [bob] } }), alice),
    ['policy-tokens', alice, 'allowed'],
  ],
  [() => ruleOnGas(policy({ maxGasPerOperation: 9 }), 8n), ['policy-gas', 8n, 9]],
  [() => ruleOnGasPrice(policy({ maxFeePerGas: 9n }), 8n), ['policy-gas-price', 8n, 9n]],
  [
    () => ruleOnCost(policy({ maxCostWei: 9n, maxCostUsdMicros: 7n }), { worstCase: 8n, usdMicrosPerCoin: 10n ** 18n }),
    ['policy-cost', 8n, 8n, 9n, 7n],
  ],
])('a ruling has what its rule found: %#', (decide, finding) => {
  expect(decide()?.finding).toEqual(finding);
});

describe('tickets', () => {
  test('a missing ticket is refused only if the policy requires one', () => {
    expect(ruleOnTicket(policy({ requireTicket: true }), undefined)).toMatchObject([
      { rule: 'policy-ticket', refusal: { reason: 'TICKET_REQUIRED', message: expect.stringContaining('ticket') } },
    ]);
    expect(ruleOnTicket(policy({}), undefined)).toEqual([]);
  });
});

describe('relayed operations', () => {
  const rulings = (relay: Policy['relay'], way: 'CONTRACT' | 'RELAY') => ruleOnRelay({ relay }, way);

  test('a policy that only relays refuses paymaster data and names the method to use', () => {
    expect(rulings('ONLY', 'CONTRACT')).toMatchObject([
      {
        rule: 'policy-relay',
        refusal: {
          reason: 'RELAY_REQUIRED',
          field: 'mode',
          message: expect.stringContaining('eth_sendUserOperation'),
        },
      },
    ]);
    expect(rulings('ONLY', 'RELAY')).toEqual([{ rule: 'policy-relay', finding: ['policy-relay', 'RELAY', 'ONLY'] }]);
  });

  test('a policy that never relays refuses a relayed operation and has no ruling on others', () => {
    expect(rulings('NEVER', 'RELAY')).toMatchObject([
      { refusal: { reason: 'RELAY_NOT_ALLOWED', field: 'paymaster', message: expect.stringContaining('NEVER') } },
    ]);
    expect(rulings('NEVER', 'CONTRACT')).toEqual([]);
  });
});

describe('period', () => {
  const year = policy({ notBefore: at(1, 0), notAfter: at(2, 0) });

  test('notBefore itself is sponsored, the second before it is not and says when it opens', () => {
    expect(ruleOnPeriod(year, at(1, 0)).refusal).toBeUndefined();
    const { refusal } = ruleOnPeriod(year, at(1, 0) - 1);
    expect(refusal).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'PERIOD',
      message: 'The policy of this paymaster sponsors nothing before 2026-03-02T00:00:00Z.',
      details: { limit: 'notBefore', frees: expect.stringContaining('2026-03-02T00:00:00Z') },
      resetsAt: at(1, 0),
    });
  });

  test('notAfter itself is no longer sponsored, the second before it is', () => {
    expect(ruleOnPeriod(year, at(2, 0) - 1).refusal).toBeUndefined();
    const { refusal } = ruleOnPeriod(year, at(2, 0));
    expect(refusal).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'PERIOD',
      message: 'The policy of this paymaster has sponsored nothing since 2026-03-03T00:00:00Z.',
      details: { limit: 'notAfter' },
    });
  });

  test('without bounds every time is sponsored', () => {
    expect(ruleOnPeriod(policy({}), 0).refusal).toBeUndefined();
  });
});

describe('pauses', () => {
  const overnight = policy({ pauses: [{ days: [1], from: 22 * 60, until: 6 * 60 }] });

  test('a pause over midnight runs into the next day, and not into the night before', () => {
    expect(ruleOnPause(overnight, at(1, 21, 59)).refusal).toBeUndefined();
    expect(ruleOnPause(overnight, at(1, 22)).refusal?.reason).toBe('LIMIT_EXCEEDED');
    expect(ruleOnPause(overnight, at(2, 5, 59)).refusal?.reason).toBe('LIMIT_EXCEEDED');
    expect(ruleOnPause(overnight, at(2, 6)).refusal).toBeUndefined();
    expect(ruleOnPause(overnight, at(1, 3)).refusal).toBeUndefined();
  });

  test('a pause of Sunday night ends on Monday', () => {
    const sunday = policy({ pauses: [{ days: [7], from: 23 * 60, until: 60 }] });
    expect(ruleOnPause(sunday, at(1, 0, 30)).refusal?.details?.frees).toContain('2026-03-02T01:00:00Z');
  });

  test('the refusal says when the pause ends, past pauses that follow on without a gap', () => {
    const joined = policy({
      pauses: [
        { days: [1], from: 22 * 60, until: 6 * 60 },
        { days: [2], from: 5 * 60, until: 9 * 60 },
      ],
    });
    expect(ruleOnPause(joined, at(1, 23)).refusal?.details).toMatchObject({ limit: 'pause' });
    expect(ruleOnPause(joined, at(1, 23)).refusal?.details?.frees).toContain('2026-03-03T09:00:00Z');
    expect(ruleOnPause(joined, at(1, 23)).refusal?.resetsAt).toBe(at(2, 9));
  });

  test('pauses that fill the week never end, and say so', () => {
    const always = policy({ pauses: [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, until: 0 }] });
    expect(ruleOnPause(always, at(4, 12)).refusal?.details?.frees).toContain('no time open');
  });
});

describe('gas', () => {
  const capped = policy({ maxGasPerOperation: 100_000 });

  test('the cap itself is sponsored, one more is not and says what was asked', () => {
    expect(ruleOnGas(capped, 100_000n).refusal).toBeUndefined();
    const { refusal } = ruleOnGas(capped, 100_001n);
    expect(refusal).toMatchObject({ reason: 'LIMIT_EXCEEDED', limitKind: 'POLICY_CAP' });
    expect(refusal?.details).toMatchObject({ limit: 'maxGasPerOperation', max: '100000', asked: '100001' });
  });

  test('without a cap any amount is sponsored; what was not recorded is not judged', () => {
    expect(ruleOnGas(policy({}), 10n ** 12n).refusal).toBeUndefined();
    expect(ruleOnGas(capped, undefined).refusal).toBeUndefined();
  });
});

describe('gas by method', () => {
  const game: Address = alice;
  const other: Address = bob;
  const abi = parseSignatures([
    'function mint(address to)',
    'function mint(address to, uint256 id)',
    'function burn()',
  ]);
  const data = (...[functionName, ...args]: readonly ['mint', ...unknown[]] | readonly ['burn']) =>
    encodeFunctionData({ abi, functionName, args } as never);
  const methods = accepted(parseAbi(JSON.stringify(abi)));
  const registered = new Map([[game.toLowerCase(), toContractMethods(methods)]]);
  const cap = { contract: game, method: 'mint', maxCallGas: 100_000 };
  const judge = (calls: readonly { target: Address; data: Hex }[], callGas: bigint | undefined, caps = [cap]) =>
    ruleOnMethodGas({
      policy: policy({ methodGas: caps }),
      calledLimits: readCalledLimits([], registered, caps).limits,
      calls: calls.map(({ target, data: bytes }) => ({
        target,
        selector: bytes.slice(0, 10) as Hex,
        content: { value: 0n, data: bytes },
      })),
      callGas,
    });
  const mint = { target: game, data: data('mint', bob) };
  const burn = { target: game, data: data('burn') };

  test('binds every overload that is named, once for all calls of the operation', () => {
    const mintOther = { target: game, data: data('mint', bob, 1n) };
    for (const calls of [[mint], [mintOther], [burn, mint], [mint, mint, mintOther]]) {
      expect(judge(calls, 100_000n).map(({ refusal }) => refusal)).toEqual([undefined]);
      const [{ refusal } = {}] = judge(calls, 100_001n);
      expect(refusal).toMatchObject({ reason: 'LIMIT_EXCEEDED', limitKind: 'POLICY_CAP' });
      expect(refusal?.details).toMatchObject({ limit: 'methodGas', max: '100000', asked: '100001' });
      expect(refusal?.message).toContain(`that calls mint of ${game}`);
    }
  });

  test('binds no operation that does not call it', () => {
    expect(judge([burn], 10n ** 9n)).toEqual([]);
    expect(judge([{ ...mint, target: other }], 10n ** 9n)).toEqual([]);
  });

  test('binds a call that is nested in the data of another one', () => {
    const nested = concatHex([burn.data, mint.data]);
    expect(judge([{ target: game, data: nested }], 100_001n)[0]?.refusal).toBeDefined();
  });

  test('of a whole contract binds each of its methods, and several caps bind each for itself', () => {
    const { method: _, ...whole } = cap;
    expect(judge([burn], 100_001n, [whole as typeof cap])[0]?.refusal?.message).toContain(`that calls ${game}`);
    const both = judge([mint], 150_000n, [cap, { ...(whole as typeof cap), maxCallGas: 200_000 }]);
    expect(both.map(({ refusal }) => refusal !== undefined)).toEqual([true, false]);
  });

  test('does not judge a decision whose gas was not recorded', () => {
    expect(judge([mint], undefined)[0]?.refusal).toBeUndefined();
  });
});

describe('gas price', () => {
  test('the ceiling itself is sponsored, one wei more is not and names the ceiling', () => {
    const capped = policy({ maxFeePerGas: 7n });
    expect(ruleOnGasPrice(capped, 7n).refusal).toBeUndefined();
    const { refusal } = ruleOnGasPrice(capped, 8n);
    expect(refusal?.reason).toBe('GAS_PRICE_TOO_HIGH');
    expect(refusal?.details).toEqual({ ceiling: '7' });
  });

  test('a ceiling of 0 is a ceiling', () => {
    expect(ruleOnGasPrice(policy({ maxFeePerGas: 0n }), 1n).refusal?.reason).toBe('GAS_PRICE_TOO_HIGH');
  });
});

describe('cost of an operation', () => {
  const coin = 10n ** 18n;

  test('the cap in wei is inclusive', () => {
    const capped = policy({ maxCostWei: 100n });
    expect(ruleOnCost(capped, { worstCase: 100n }).refusal).toBeUndefined();
    const { refusal } = ruleOnCost(capped, { worstCase: 101n });
    expect(refusal).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'POLICY_CAP',
      message: expect.stringContaining('can cost up to 101 wei; the policy of this paymaster sponsors at most 100 wei'),
      details: {
        limit: 'maxCostPerOperation.wei',
        max: '100',
        asked: '101',
        frees: expect.stringContaining('Raise maxCostPerOperation of the policy'),
      },
    });
  });

  test('the worth in USD is rounded up, so that a wei more than the cap is refused', () => {
    const halfDollar = policy({ maxCostUsdMicros: 500_000n });
    const price = { usdMicrosPerCoin: 2_000_000_000n };
    const worth = (500_000n * coin) / price.usdMicrosPerCoin;
    expect(ruleOnCost(halfDollar, { worstCase: worth, ...price }).refusal).toBeUndefined();
    expect(ruleOnCost(halfDollar, { worstCase: worth + 1n, ...price }).refusal?.details).toMatchObject({
      limit: 'maxCostPerOperation.usd',
      unit: 'USD',
      max: '0.50',
      asked: '0.500001',
    });
  });

  test('a cap in USD refuses when the coin has no price', () => {
    const { refusal } = ruleOnCost(policy({ maxCostUsdMicros: 500_000n }), { worstCase: 1n });
    expect(refusal?.reason).toBe('PRICE_UNAVAILABLE');
  });

  test('without caps no price is needed', () => {
    expect(ruleOnCost(policy({}), { worstCase: coin }).refusal).toBeUndefined();
  });
});

describe('calls', () => {
  const selector = '0xa9059cbb';
  const registered = new Map([[lower(alice), { name: 'Token', selectors: new Map([['0xa9059cbb' as const, 64]]) }]]);
  type Call = { target: Address; selector?: typeof selector | '0x095ea7b3'; content?: { value: bigint; data: Hex } };
  const ask = (calls: Call[]) => ({
    calls,
    deploysOnly: false,
  });
  const suffix = Attribution.toDataSuffix({ codes: ['baseapp'] });
  const transfer = `0xa9059cbb${'00'.repeat(64)}` as const;
  const sent = (data: Hex) => ({
    target: alice as Address,
    selector: '0xa9059cbb' as const,
    content: { value: 0n, data },
  });

  test.each([
    ['its arguments alone', [transfer]],
    ['one suffix of ERC-8021', [transfer, concat([transfer, suffix])]],
    ['fewer bytes than arguments have', [transfer.slice(0, -2) as Hex]],
  ])('lets a call pass that has %s', (_, datas) => {
    const calls = ask(datas.map(sent));
    expect(ruleOnCalls({ contracts: registered, policy: policy({}) }, calls).refusal).toBeUndefined();
  });

  test.each([
    ['a byte behind its arguments', 1, [concat([transfer, '0x00'])]],
    ['two suffixes', 2 * size(suffix), [concat([transfer, suffix, suffix])]],
    ['a suffix that another call has too', size(suffix), [concat([transfer, suffix]), concat([transfer, suffix])]],
  ])('refuses a call that has %s and names the call', (_, bytes, datas) => {
    const { refusal } = ruleOnCalls({ contracts: registered, policy: policy({}) }, ask(datas.map(sent)));
    expect(refusal).toMatchObject({
      reason: 'CALL_NOT_UNDERSTOOD',
      message: expect.stringContaining(
        `The call of 0xa9059cbb of ${alice} has ${counted(bytes, 'byte')} after its arguments.`,
      ),
      field: 'callData',
      details: { target: alice, selector: '0xa9059cbb' },
    });
  });

  const none = new Map<string, never>();
  const deployment = { calls: [], deploysOnly: true };

  test('a whitelisted method of a registered contract is sponsored', () => {
    const { refusal } = ruleOnCalls({ contracts: registered, policy: policy({}) }, ask([{ target: alice, selector }]));
    expect(refusal).toBeUndefined();
  });

  test('one call that is not registered refuses the operation, in the words clients look for', () => {
    const calls = ask([
      { target: alice, selector },
      { target: bob, selector },
    ]);
    const { refusal } = ruleOnCalls({ contracts: registered, policy: policy({}) }, calls);
    expect(refusal?.reason).toBe('CONTRACT_NOT_REGISTERED');
    expect(refusal?.message).toMatch(/^Smart contract data not found/);
    expect(refusal?.details).toEqual({ target: bob, selector });
  });

  test('a method that is not whitelisted and a plain transfer are refused', () => {
    const parts = { contracts: registered, policy: policy({}) };
    expect(ruleOnCalls(parts, ask([{ target: alice, selector: '0x095ea7b3' }])).refusal?.reason).toBe(
      'METHOD_NOT_WHITELISTED',
    );
    expect(ruleOnCalls(parts, ask([{ target: alice }])).refusal?.message).toContain('plain transfer');
    const content = { value: 0n, data: '0x112233' } as const;
    const short: AskedCalls = { calls: [{ target: alice, content }], deploysOnly: false };
    expect(ruleOnCalls(parts, short).refusal).toMatchObject({
      reason: 'METHOD_NOT_WHITELISTED',
      message: expect.stringContaining('has data that is too short'),
    });
    expect(ruleOnCalls({ ...parts, policy: policy({ sponsorAllCalls: true }) }, short).refusal).toBeUndefined();
  });

  test('a contract with which the paymaster has too many methods is refused as such', () => {
    const above = new Map([
      [lower(alice) as string, { name: 'shop', selectors: new Map<Hex, number>(), isAboveBound: true as const }],
    ]);
    const { refusal } = ruleOnCalls({ contracts: above, policy: policy({}) }, ask([{ target: alice, selector }]));
    expect(refusal).toMatchObject({ reason: 'METHOD_NOT_WHITELISTED', details: { target: alice, selector } });
    expect(refusal?.message).toContain('Whitelist fewer of their methods');
  });

  test('without contracts nothing is sponsored, in the words clients look for', () => {
    const { refusal } = ruleOnCalls({ contracts: none, policy: policy({}) }, ask([{ target: alice, selector }]));
    expect(refusal?.reason).toBe('NO_POLICIES');
    expect(refusal?.message).toMatch(/^No policies were set/);
  });

  test('sponsorAllCalls sponsors any call, registered contracts or not', () => {
    const all = policy({ sponsorAllCalls: true });
    for (const contracts of [none, registered]) {
      expect(ruleOnCalls({ contracts, policy: all }, ask([{ target: bob }])).refusal).toBeUndefined();
    }
  });

  test('a deployment without calls needs allowAccountDeployment, and nothing else', () => {
    const allowed = policy({ allowAccountDeployment: true });
    expect(ruleOnCalls({ contracts: none, policy: allowed }, deployment).refusal).toBeUndefined();
    expect(ruleOnCalls({ contracts: none, policy: policy({}) }, deployment).refusal?.reason).toBe('NO_POLICIES');
    for (const sponsorAllCalls of [true, false]) {
      const { refusal } = ruleOnCalls({ contracts: registered, policy: policy({ sponsorAllCalls }) }, deployment);
      expect(refusal?.reason).toBe('METHOD_NOT_WHITELISTED');
      expect(refusal?.message).toContain('allowAccountDeployment');
    }
  });

  test('allowAccountDeployment alone lets no call through', () => {
    const allowed = policy({ allowAccountDeployment: true });
    const { refusal } = ruleOnCalls({ contracts: none, policy: allowed }, ask([{ target: alice, selector }]));
    expect(refusal?.reason).toBe('NO_POLICIES');
  });
});

describe('accounts', () => {
  const known = { known: true, text: 'SimpleAccount 0.7' };
  const codeHash = `0x${'ab'.repeat(32)}` as const;
  const unknown = { known: false, text: 'The code is not known.', codeHash, setting: 'accounts.proxies' };

  test('have to be known, unless the policy takes any', () => {
    expect(ruleOnAccount(policy({}), known).refusal).toBeUndefined();
    expect(ruleOnAccount(policy({ accounts: 'ANY' }), unknown).refusal).toBeUndefined();
    expect(ruleOnAccount(policy({ accounts: 'ANY' }), undefined).refusal).toBeUndefined();
    expect(ruleOnAccount(policy({}), undefined).refusal?.reason).toBe('ACCOUNT_NOT_KNOWN');
  });

  test('are refused with the hash of their code, and with what would make them known', () => {
    const { refusal } = ruleOnAccount(policy({}), unknown);
    expect(refusal).toMatchObject({ reason: 'ACCOUNT_NOT_KNOWN', details: { codeHash, setting: 'accounts.proxies' } });
    expect(refusal?.message).toBe(
      "The code is not known. The operator can add it to accounts.proxies of the chain's configuration. The owner can set accounts of the policy to ANY.",
    );
    expect(ruleOnAccount(policy({}), { ...unknown, entry: '{}' }).refusal?.message).toContain(
      'configuration, with all missing code: "accounts": {}. The owner',
    );
    expect(ruleOnAccount(policy({}), undefined).refusal?.message).toBe(
      'The code of the account could not be read. The owner can set accounts of the policy to ANY.',
    );
  });
});
