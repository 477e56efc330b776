import { describe, expect, test } from 'vitest';
import { ruleOnBudget } from '../../core/policies/rule-on-budget.ts';
import { type LimitCount, ruleOnLimit } from '../../core/policies/rules/rule-on-limit.ts';

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const limit = { per: 'sender', window: 'hour', unit: 'wei', max: 5n } as const;
const refusalOf = (count: Partial<LimitCount>) =>
  ruleOnLimit({ limit, windowStart: 3_600, used: 4n, asked: 2n, ...count }).refusal;

test.each([
  [
    1n,
    1n,
    '1 operation is used or held, and this request needs 1 operation more. Held operations have not landed yet.',
  ],
  [
    2n,
    1n,
    '2 operations are used or held, and this request needs 1 operation more. Held operations have not landed yet.',
  ],
  [
    3n,
    2n,
    '3 operations are used or held, and this request needs 2 operations more. Held operations have not landed yet.',
  ],
])('the sentence about %i used and %i asked is one of plain English', (used, asked, sentence) => {
  const refusal = refusalOf({ limit: { per: 'total', window: 'ever', unit: 'operations', max: used }, used, asked });
  expect(refusal?.message).toContain(sentence);
});

describe('a limit', () => {
  test('is not exceeded by a request that uses it up', () => {
    expect(ruleOnLimit({ limit, windowStart: 0, used: 3n, asked: 2n })).toEqual({
      rule: 'limit-sender-hour-wei',
      finding: ['limit', 'sender', 'hour', 'wei', 5n, 3n, 2n, undefined, undefined],
    });
  });

  test('of a policy refuses with its amounts and the beginning of its next window', () => {
    expect(refusalOf({})).toEqual({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'POLICY_LIMIT',
      message:
        'The policy sponsors 5 wei in an hour for this sender; 4 wei is used or held, and this request needs 2 wei more. What is held is the worst case of operations that have not landed.',
      details: {
        limit: 'limit-sender-hour-wei',
        unit: 'WEI',
        max: '5',
        used: '4',
        asked: '2',
        frees: 'Raise the limit, or try again after 1970-01-01T02:00:00.000Z, when its next window begins.',
      },
      resetsAt: 7_200,
    });
  });

  test('says of a request that needs more than the whole limit that it never fits, and not to wait', () => {
    const inUsd = { per: 'total', window: 'day', unit: 'usdMicros', max: 500_000n } as const;
    const refusal = refusalOf({ limit: inUsd, used: 0n, asked: 720_000n });
    expect(refusal).toMatchObject({
      message: expect.stringContaining('this request alone needs 0.720000 USD, so it never fits.'),
      details: { unit: 'USD', max: '0.50', used: '0.00', asked: '0.72', fits: 'never' },
    });
    expect(refusal?.resetsAt).toBeUndefined();
    expect(refusal?.details?.frees).not.toContain('again');
  });

  test('on a method refuses with the contract and the method', () => {
    const ofMethod = { ...limit, per: 'subject', window: 'ever', contract, method: 'mint' } as const;
    expect(refusalOf({ limit: ofMethod })).toMatchObject({
      message: `The policy sponsors 5 wei for operations that call mint of ${contract} ever for this user; 4 wei is used or held, and this request needs 2 wei more. What is held is the worst case of operations that have not landed.`,
      details: {
        limit: 'limit-subject-ever-wei-of-method',
        contract,
        method: 'mint',
        frees: 'Raise the limit. Only holds of operations that do not land are given back to it.',
      },
    });
  });

  test('of an apiKey refuses as one of the key', () => {
    expect(refusalOf({ limit: { ...limit, per: 'key' } })).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'KEY_LIMIT',
      message: expect.stringMatching(/^This apiKey allows 5 wei in an hour; /),
    });
  });

  test('of a ticket refuses with the advice to get a new one', () => {
    expect(refusalOf({ limit: { ...limit, per: 'ticket', window: 'ever' } })).toEqual({
      reason: 'TICKET_USED_UP',
      message:
        'The ticket allows 5 wei ever; 4 wei is used or held, and this request needs 2 wei more. What is held is the worst case of operations that have not landed.',
      details: {
        limit: 'limit-ticket-ever-wei',
        unit: 'WEI',
        max: '5',
        used: '4',
        asked: '2',
        frees: 'Get a new ticket. Only holds of operations that do not land are given back to this one.',
      },
    });
  });

  test('lets nothing through when it was set during the request', () => {
    const inUsd = ruleOnLimit({ limit: { ...limit, unit: 'usdMicros' }, windowStart: 0, used: 0n, asked: undefined });
    expect(inUsd).toMatchObject({
      rule: 'limit-usd',
      finding: ['limit-usd-set'],
      refusal: { reason: 'PRICE_UNAVAILABLE', message: expect.stringContaining('just set') },
    });
    const ofContract = ruleOnLimit({ limit: { ...limit, contract }, windowStart: 0, used: 0n, asked: undefined });
    expect(ofContract).toMatchObject({
      rule: 'limit-sender-hour-wei-of-contract',
      finding: ['limit-of-contract-set'],
      refusal: {
        reason: 'LIMIT_EXCEEDED',
        limitKind: 'POLICY_LIMIT',
        message: expect.stringContaining('just set'),
        details: { limit: 'limit-sender-hour-wei-of-contract', max: '5', frees: 'Try again.' },
      },
    });
  });
});

describe('an account’s budget', () => {
  const budget = { name: 'all', maxUsdMicros: 5n, window: 'hour' } as const;
  const rulingOf = (asked: bigint | undefined, window: 'hour' | 'ever' = 'hour') =>
    ruleOnBudget({ budget: { ...budget, window }, start: 3_600, used: 3n, asked });

  test('is not exceeded by a request that uses it up', () => {
    expect(rulingOf(2n)).toEqual({ rule: 'account-budget', finding: ['account-budget', 'all', 'hour', 5n, 3n, 2n] });
  });

  test('refuses without revealing its amounts', () => {
    const refusal = {
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'ACCOUNT_BUDGET',
      message: 'A budget of the paymaster’s account is too low for this operation.',
    };
    expect(rulingOf(3n).refusal).toEqual({
      ...refusal,
      details: {
        limit: 'account-budget',
        frees: 'Raise the budget, or try again after 1970-01-01T02:00:00.000Z, when its next window begins.',
      },
      resetsAt: 7_200,
    });
    expect(rulingOf(3n, 'ever').refusal).toEqual({
      ...refusal,
      details: {
        limit: 'account-budget',
        frees: 'Raise the budget. Only holds of operations that do not land are given back to it.',
      },
    });
  });

  test('says of a request above the whole budget that it never fits', () => {
    expect(rulingOf(6n).refusal).toMatchObject({ details: { fits: 'never' } });
    expect(rulingOf(6n).refusal?.resetsAt).toBeUndefined();
  });

  test('lets nothing through while the price of the coin is unknown', () => {
    expect(rulingOf(undefined).refusal).toMatchObject({
      reason: 'BUDGET_NOT_COUNTED',
      message: expect.stringContaining('not known at the moment'),
    });
  });
});
