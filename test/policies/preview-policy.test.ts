import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { inOneTurn } from '../../core/base/time/in-own-turn.ts';
import { defaultPolicy, type Policy, type PolicyLimit } from '../../core/domain/policy.ts';
import type { PolicyPreview } from '../../core/domain/policy-preview.ts';
import { parseAbi } from '../../core/evm/abi/parse-abi.ts';
import { methodArguments } from '../../core/evm/abi/read-call-arguments.ts';
import { readCallRules } from '../../core/policies/call-rules/call-rules.ts';
import { calledKey } from '../../core/policies/called-limits.ts';
import { createPreview, type PastDecision } from '../../core/policies/preview-policy.ts';
import type { Proposed } from '../../core/policies/rules/policy-rules.ts';
import { accepted } from '../support/core/start-management.ts';

const alice = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const bob = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const coin = 10n ** 18n;
/** Monday 2 March 2026, 12:00 UTC. */
const noon = Date.UTC(2026, 2, 2, 12) / 1_000;

let number = 0;
/** A signed decision about an operation of its own, of Alice, at noon, for at most 100 wei. */
function signed(changes: Partial<PastDecision> & { worstCase?: bigint; price?: bigint } = {}): PastDecision {
  const { worstCase = 100n, price, ...rest } = changes;
  number += 1;
  return {
    decisionId: `decision-${number}`,
    decidedAt: noon,
    sender: alice,
    nonce: BigInt(number),
    mode: 'SPONSORED',
    payer: 'CONTRACT',
    facts: {
      calls: [{ target: bob, selector: '0xa9059cbb' }],
      deploysOnly: false,
      maxFeePerGas: 10n,
      worstCase,
      ...(price === undefined ? {} : { usdMicrosPerCoin: price }),
    },
    contents: [{ value: 0n, data: '0xa9059cbb' }],
    released: false,
    ...rest,
  };
}
const refused = (changes: Partial<PastDecision> = {}): PastDecision =>
  signed({ refused: { reason: 'SENDER_BLOCKED', rule: 'policy-sender', message: 'blocked' }, ...changes });

function previewPolicy(proposed: Proposed, decisions: readonly PastDecision[]): PolicyPreview {
  const preview = createPreview(proposed);
  for (const decision of decisions) preview.decide(decision);
  return inOneTurn(preview.result());
}

function preview(changes: Partial<Policy>, decisions: readonly PastDecision[]) {
  const policy = { ...defaultPolicy, sponsorAllCalls: true, ...changes };
  return previewPolicy({ contracts: new Map(), callRules: new Map(), calledLimits: new Map(), policy }, decisions);
}
const cutOff = (changes: Partial<Policy>, decisions: readonly PastDecision[]) =>
  preview(changes, decisions).cutOff.map(({ decisionId }) =>
    decisions.findIndex((one) => one.decisionId === decisionId),
  );
const limit = (parts: Partial<PolicyLimit>): Partial<Policy> => ({
  limits: [{ per: 'total', window: 'day', unit: 'operations', max: 1n, ...parts }],
});

describe('a preview', () => {
  test('of nothing finds nothing', () => {
    expect(preview({}, [])).toEqual({
      replayed: 0,
      unpriced: 0,
      unread: 0,
      cutOff: [],
      letIn: [],
      senders: [],
      replayedSenders: 0,
      rules: [],
    });
  });

  test('tells whom a policy cuts off, by which rule, and how often', () => {
    const decisions = [signed({ sender: bob }), signed(), signed()];
    const found = preview({ blockedSenders: [alice, bob] }, decisions);
    expect(found).toMatchObject({ replayed: 3, since: noon, letIn: [] });
    expect(found.cutOff[0]).toEqual({
      decisionId: decisions[0]?.decisionId,
      decidedAt: noon,
      sender: bob,
      reason: 'SENDER_BLOCKED',
      rule: 'policy-sender',
      message: expect.stringContaining(bob),
      firstCall: { target: bob, selector: '0xa9059cbb', count: 1 },
      worstCase: 100n,
    });
    expect(found.senders).toEqual([
      { sender: alice, cutOff: 2 },
      { sender: bob, cutOff: 1 },
    ]);
  });

  test('tells whom a policy lets in, and why it was refused', () => {
    const decision = refused();
    expect(preview({}, [decision]).letIn).toEqual([
      {
        decisionId: decision.decisionId,
        decidedAt: noon,
        sender: alice,
        firstCall: { target: bob, selector: '0xa9059cbb', count: 1 },
        worstCase: 100n,
        ...decision.refused,
      },
    ]);
    expect(preview({ blockedSenders: [alice] }, [decision])).toMatchObject({ cutOff: [], letIn: [] });
  });

  test('decides each at its own time', () => {
    const pauses = [{ days: [1] as const, from: 11 * 60, until: 13 * 60 }];
    expect(cutOff({ pauses }, [signed({ decidedAt: noon - 7_200 }), signed()])).toEqual([1]);
    expect(cutOff({ notAfter: noon }, [signed({ decidedAt: noon - 1 }), signed()])).toEqual([1]);
  });

  test('decides relayed operations as such', () => {
    const decisions = [signed({ payer: 'RELAY' }), signed()];
    expect(cutOff({ relay: 'NEVER' }, decisions)).toEqual([0]);
    expect(cutOff({ relay: 'ONLY' }, decisions)).toEqual([1]);
  });

  test('decides by the code of the account if that was recorded', () => {
    const of = (known: boolean) => signed({ facts: { ...signed().facts, account: { known, text: 'Its code.' } } });
    expect(cutOff({ accounts: 'KNOWN' }, [of(true), of(false), signed()])).toEqual([1]);
  });

  test('decides by the token that paid', () => {
    const decisions = ([alice, bob] as const).map((token) => signed({ mode: 'ERC20', token }));
    expect(cutOff({ tokens: { enabled: true, allowed: [bob] } }, decisions)).toEqual([0]);
  });

  test('does not decide by a cost that was not recorded', () => {
    const { worstCase: _, ...facts } = signed({ price: coin }).facts;
    expect(cutOff({ maxCostUsdMicros: 99n }, [signed({ facts })])).toEqual([]);
  });

  test('looks at calls, gas price and cost as they were', () => {
    expect(cutOff({ sponsorAllCalls: false }, [signed()])).toEqual([0]);
    expect(cutOff({ maxFeePerGas: 9n }, [signed()])).toEqual([0]);
    expect(cutOff({ maxCostWei: 99n }, [signed(), signed({ worstCase: 99n })])).toEqual([0]);
    const price = coin;
    expect(cutOff({ maxCostUsdMicros: 99n }, [signed({ price }), signed({ price, worstCase: 99n })])).toEqual([0]);
  });

  test('does not cut off for a worth in USD that is not known, and counts those', () => {
    const found = preview({ maxCostUsdMicros: 0n }, [signed(), signed({ price: coin })]);
    expect(found.unpriced).toBe(1);
    expect(found.cutOff).toHaveLength(1);
    expect(preview({}, [signed()]).unpriced).toBe(0);
  });
});

describe('what a preview suggests', () => {
  const price = 10n ** 6n * 3_000n;
  /** Wei that are worth so many cents at 3,000 USD a coin. */
  const cents = (amount: number) => (coin * BigInt(amount)) / 300_000n;
  const ofCents = (...amounts: readonly number[]) =>
    amounts.map((amount) => signed({ price, worstCase: cents(amount) }));
  const rulesOf = (changes: Partial<Policy>, decisions: readonly PastDecision[]) => preview(changes, decisions).rules;

  test('is the cap with which none would be refused, and a lower one that refuses few', () => {
    const decisions = ofCents(30, 60, 70, 80, 90, 219);
    expect(rulesOf({ maxCostUsdMicros: 500_000n }, decisions)).toEqual([
      {
        rule: 'policy-cost',
        field: 'maxCostPerOperation.usd',
        cutOff: 5,
        raised: [
          { value: '2.20', cutOff: 0 },
          { value: '0.90', cutOff: 1 },
        ],
      },
    ]);
    for (const [max, expected] of [
      [2_200_000n, 0],
      [900_000n, 1],
    ] as const)
      expect(cutOff({ maxCostUsdMicros: max }, decisions)).toHaveLength(expected);
  });

  test('is a gas price in wei, and names each cap by its field', () => {
    const facts = { ...signed().facts, maxFeePerGas: 1_234_567_890n };
    expect(rulesOf({ maxFeePerGas: 10n ** 9n }, [signed({ facts })])).toMatchObject([
      { rule: 'policy-gas-price', field: 'maxFeePerGas', cutOff: 1, raised: [{ value: '1300000000', cutOff: 0 }] },
    ]);
    expect(rulesOf({ maxCostWei: 99n }, [signed()])).toMatchObject([
      { field: 'maxCostPerOperation.wei', raised: [{ value: '100', cutOff: 0 }] },
    ]);
  });

  test('is a limit that all of them pass together, also those that the proposed one refuses', () => {
    const decisions = Array.from({ length: 10 }, () => signed());
    const [rule] = rulesOf(limit({ max: 2n }), decisions);
    expect(rule).toMatchObject({ field: 'limits[0].max', cutOff: 8, raised: [{ value: '10', cutOff: 0 }, {}] });
    for (const { value, cutOff: expected } of rule?.raised ?? [])
      expect(cutOff(limit({ max: BigInt(value) }), decisions)).toHaveLength(expected);
  });

  test('is an amount of a limit in money that all pass, and a lower one with the number that it still refuses', () => {
    const decisions = ofCents(40, 40, 40, 200, 30, 30, 300, 40, 40, 40);
    const inUsd = (max: bigint) => limit({ unit: 'usdMicros', max });
    const [rule] = rulesOf(inUsd(500_000n), decisions);
    expect(rule).toMatchObject({ field: 'limits[0].max', raised: [{ value: '8.00', cutOff: 0 }, { value: '7.60' }] });
    for (const { value, cutOff: expected } of rule?.raised ?? [])
      expect(cutOff(inUsd(BigInt(Number(value) * 1_000_000)), decisions)).toHaveLength(expected);
  });

  test('is found also where a large operation is refused and smaller ones later pass', () => {
    const decisions = [...ofCents(10, 500, 10, 10), ...ofCents(...Array.from({ length: 20 }, () => 1))];
    const inUsd = (max: bigint) => limit({ unit: 'usdMicros', max, per: 'sender' });
    const [rule] = rulesOf(inUsd(100_000n), decisions);
    const values = rule?.raised.map(({ value }) => Number(value)) ?? [];
    expect(values.length).toBeGreaterThan(0);
    for (const { value, cutOff: expected } of rule?.raised ?? [])
      expect(cutOff(inUsd(BigInt(Math.round(Number(value) * 1_000_000))), decisions)).toHaveLength(expected);
  });

  test('counts again what a lower amount refuses: later operations then pass', () => {
    const decisions = ofCents(...Array.from({ length: 29 }, () => 8), 300, 1, 1, 1);
    const inUsd = (max: bigint) => limit({ unit: 'usdMicros', max });
    const [rule] = rulesOf(inUsd(500_000n), decisions);
    // With 2.30 the 29th of 8 cents is refused, and the one of 300. Those of 1 cent pass.
    expect(rule?.raised).toEqual([
      { value: '5.40', cutOff: 0 },
      { value: '2.30', cutOff: 2 },
    ]);
    expect(cutOff(inUsd(2_300_000n), decisions)).toEqual([28, 29]);
  });

  test('is the lower of two amounts that refuse as many, whatever an operation needs that was refused then', () => {
    const [before, large, after] = [ofCents(...Array.from({ length: 8 }, () => 13)), ofCents(500), ofCents(5)];
    const refusedThen = { reason: 'LIMIT_EXCEEDED', rule: 'policy-limit', message: 'used up' } as const;
    const decisions = [...before, ...large.map((one) => ({ ...one, refused: refusedThen })), ...after];
    const [rule] = rulesOf(limit({ unit: 'usdMicros', max: 150_000n }), decisions);
    expect(rule?.raised).toEqual([{ value: '1.10', cutOff: 0 }]);
  });

  test('is in whole cents', () => {
    const [rule] = rulesOf({ maxCostUsdMicros: 1_000n }, [signed({ price, worstCase: cents(1) / 3n })]);
    expect(rule?.raised).toEqual([{ value: '0.01', cutOff: 0 }]);
  });

  test('comes with what each changed operation could have cost, and did', () => {
    const [decision] = ofCents(60);
    const landed = { ...(decision as PastDecision), charge: cents(20) };
    expect(preview({ maxCostUsdMicros: 500_000n }, [landed]).cutOff).toMatchObject([
      { worstCase: cents(60), charge: cents(20), usdMicrosPerCoin: price },
    ]);
  });

  test('is nothing for a rule without an amount, and comes with the number of all senders', () => {
    const found = preview({ blockedSenders: [alice] }, [signed(), signed(), signed({ sender: bob })]);
    expect(found.rules).toEqual([{ rule: 'policy-sender', cutOff: 2, raised: [] }]);
    expect(found.replayedSenders).toBe(2);
  });

  test('comes for the rule first that refuses most', () => {
    const decisions = [signed({ sender: bob, worstCase: 1n }), signed(), signed()];
    const rules = rulesOf({ blockedSenders: [bob], maxCostWei: 99n }, decisions);
    expect(rules.map(({ rule, cutOff: count }) => [rule, count])).toEqual([
      ['policy-cost', 2],
      ['policy-sender', 1],
    ]);
  });
});

describe('limits in a preview', () => {
  test('count from the oldest decision on', () => {
    expect(cutOff(limit({ max: 2n }), [signed(), signed(), signed()])).toEqual([2]);
    expect(
      cutOff(limit({ unit: 'wei', max: 250n }), [signed(), signed(), signed(), signed({ worstCase: 50n })]),
    ).toEqual([2]);
    const price = coin;
    expect(cutOff(limit({ unit: 'usdMicros', max: 199n }), [signed({ price }), signed({ price })])).toEqual([1]);
  });

  test('count each sender by itself, or all together', () => {
    const decisions = [signed(), signed({ sender: bob })];
    expect(cutOff(limit({ per: 'sender' }), decisions)).toEqual([]);
    expect(cutOff(limit({ per: 'total' }), decisions)).toEqual([1]);
  });

  test('count each user by itself', () => {
    const by = (subject: string) => signed({ facts: { ...signed().facts, subject } });
    const decisions = [by('subject:1'), by('subject:2'), by('subject:1')];
    expect(cutOff(limit({ per: 'subject' }), decisions)).toEqual([2]);
  });

  test('begin again with each window', () => {
    const decisions = [signed(), signed({ decidedAt: noon + 3_600 })];
    expect(cutOff(limit({ window: 'hour' }), decisions)).toEqual([]);
    expect(cutOff(limit({ window: 'day' }), decisions)).toEqual([1]);
  });

  test('count an operation that was signed more than once once, with its largest worst case', () => {
    const again = [
      signed({ nonce: 7n }),
      signed({ nonce: 7n, worstCase: 150n }),
      signed({ nonce: 7n, worstCase: 120n }),
    ];
    expect(cutOff(limit({ max: 1n }), again)).toEqual([]);
    expect(cutOff(limit({ unit: 'wei', max: 150n }), again)).toEqual([]);
    expect(cutOff(limit({ unit: 'wei', max: 149n }), again)).toEqual([1]);
    expect(cutOff(limit({ unit: 'wei', max: 160n }), [...again, signed({ worstCase: 11n })])).toEqual([3]);
  });

  test('do not count what was given back, nor what the policy itself cuts off', () => {
    expect(cutOff(limit({}), [signed({ released: true }), signed()])).toEqual([]);
    expect(cutOff({ ...limit({}), blockedSenders: [bob] }, [signed({ sender: bob }), signed()])).toEqual([0]);
  });

  test('count what the policy lets in', () => {
    expect(cutOff(limit({}), [refused(), signed()])).toEqual([1]);
  });

  test('count an operation whose cost was never known as one operation', () => {
    const { worstCase: _, ...facts } = signed().facts;
    expect(cutOff(limit({}), [refused({ facts }), signed()])).toEqual([1]);
    expect(cutOff(limit({ unit: 'wei', max: 100n }), [refused({ facts }), signed()])).toEqual([]);
  });

  test('name the sender of the operation however it is written', () => {
    const lower = alice.toLowerCase() as Address;
    expect(cutOff(limit({ per: 'sender' }), [signed(), signed({ sender: lower })])).toEqual([1]);
  });
});

describe('limits on a contract in a preview', () => {
  const ofBob = (unit: PolicyLimit['unit'], max: bigint, decisions: readonly PastDecision[]) => {
    const one: PolicyLimit = { per: 'total', window: 'day', unit, max, contract: bob };
    const calledLimits = new Map([[calledKey(one) ?? '', { contract: bob.toLowerCase(), known: new Set<Hex>() }]]);
    const policy = { ...defaultPolicy, sponsorAllCalls: true, limits: [one] };
    const { cutOff: changed } = previewPolicy(
      { contracts: new Map(), callRules: new Map(), calledLimits, policy },
      decisions,
    );
    return changed.map(({ decisionId }) => decisions.findIndex((decision) => decision.decisionId === decisionId));
  };
  const calling = (
    targets: readonly Address[],
    { nonce, worstCase = 100n }: Partial<PastDecision['facts'] & Pick<PastDecision, 'nonce'>> = {},
  ) => {
    const calls = targets.map((target) => ({ target, selector: '0xa9059cbb' as const }));
    const contents = targets.map(() => ({ value: 0n, data: '0xa9059cbb' as const }));
    return signed({ ...omitAbsent({ nonce }), facts: { ...signed().facts, calls, worstCase }, contents });
  };

  test('do not concern operations without a call of it', () => {
    expect(ofBob('operations', 0n, [calling([alice]), calling([bob])])).toEqual([1]);
    expect(ofBob('wei', 0n, [calling([alice]), calling([bob])])).toEqual([1]);
  });

  test('count its calls, and of an operation that was signed again only the added ones', () => {
    const again = [calling([bob], { nonce: 7n }), calling([bob, alice, bob], { nonce: 7n }), calling([bob])];
    expect(ofBob('operations', 3n, again)).toEqual([]);
    expect(ofBob('operations', 2n, again)).toEqual([2]);
    expect(ofBob('operations', 1n, again)).toEqual([1, 2]);
  });

  test('count the whole cost of an operation that was signed again with the first call of it', () => {
    const again = [calling([alice], { nonce: 7n }), calling([bob], { nonce: 7n, worstCase: 120n })];
    expect(ofBob('wei', 120n, again)).toEqual([]);
    expect(ofBob('wei', 119n, again)).toEqual([1]);
  });

  test('count what an operation costs more when it was signed again with the same calls', () => {
    const again = [calling([bob], { nonce: 7n }), calling([bob], { nonce: 7n, worstCase: 120n })];
    expect(ofBob('wei', 120n, again)).toEqual([]);
    expect(ofBob('wei', 119n, again)).toEqual([1]);
  });
});

describe('rules on arguments', () => {
  const transfer = (to: Address) => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1n] });
  const rule = { contract: bob, method: 'transfer', where: [{ argument: '0', is: 'msg.sender' }] } as const;
  const text = JSON.stringify(erc20Abi);
  const methods = accepted(parseAbi(text));
  const registered = { methods, parametersOf: methodArguments(text, methods) };
  const ruled = (decisions: readonly PastDecision[]) => {
    const { rules } = readCallRules([rule], new Map([[bob.toLowerCase(), registered]]));
    const policy = { ...defaultPolicy, sponsorAllCalls: true };
    return previewPolicy({ contracts: new Map(), callRules: rules, calledLimits: new Map(), policy }, decisions);
  };

  test('cut off what was signed with another argument, and let in what is as they say', () => {
    const sent = (to: Address) => ({ contents: [{ value: 0n, data: transfer(to) }] });
    const found = ruled([signed(sent(bob)), signed(sent(alice)), refused(sent(alice))]);
    expect(found.cutOff).toMatchObject([{ reason: 'ARGUMENT_NOT_ALLOWED', rule: 'call-arguments' }]);
    expect(found).toMatchObject({ unread: 0, letIn: [{ rule: 'policy-sender' }] });
  });

  test('say nothing of arguments that were not recorded, and how many those are', () => {
    const byRule = { reason: 'ARGUMENT_NOT_ALLOWED', rule: 'call-arguments', message: 'no' } as const;
    const found = ruled([
      signed({ contents: [null] }),
      signed({ contents: [] }),
      refused({ contents: [null], refused: byRule }),
    ]);
    expect(found).toMatchObject({ unread: 3, cutOff: [], letIn: [] });
  });
});

describe('a preview of a policy whose users pay a share', () => {
  const token = bob;
  const paid = (changes: Parameters<typeof signed>[0] = {}) => signed({ mode: 'ERC20', token, ...changes });

  test('cuts off what was free, and says that it can be paid for', () => {
    const [changed] = preview({ userPaysPercent: 30 }, [signed()]).cutOff;
    expect(changed).toMatchObject({ rule: 'policy-share', reason: 'USER_PAYS_SHARE', offeredTokenPayment: true });
  });

  test('counts of what was paid in tokens the part that it would give', () => {
    const decisions = [paid(), paid(), paid()];
    const wei = (max: bigint) => limit({ unit: 'wei', max });
    expect(cutOff({ userPaysPercent: 30, ...wei(140n) }, decisions)).toEqual([2]);
    expect(cutOff({ userPaysPercent: 30, ...wei(210n) }, decisions)).toEqual([]);
    expect(cutOff(wei(0n), decisions)).toEqual([]);
  });

  test('lets those who pay in tokens pay all where its limits are used up and it says so', () => {
    const decisions = [paid(), paid()];
    const policy = { userPaysPercent: 30, ...limit({ max: 1n }) };
    expect(cutOff(policy, decisions)).toEqual([1]);
    expect(cutOff({ ...policy, thenPayInToken: true }, decisions)).toEqual([]);
  });

  test('binds calls that who pays all was free to make', () => {
    const policy = { sponsorAllCalls: false };
    expect(cutOff(policy, [paid()])).toEqual([]);
    expect(cutOff({ ...policy, userPaysPercent: 30 }, [paid()])).toEqual([0]);
  });
});
