import { omitAbsent } from '@tollfree/contract/omit-absent';
import { describe, expect, test } from 'vitest';
import type { ValidityConfig } from '../../core/domain/core-config.ts';
import { readLifetime, readMode, readSmartAccountInfo } from '../../core/sponsorship/identify/field-readers.ts';
import { viewChain } from '../../core/sponsorship/permit/check-chain.ts';
import { readSignatureLifetime, readTokenLifetime } from '../../core/sponsorship/permit/sponsor-mode.ts';
import { chooseWindow } from '../../core/sponsorship/sponsored-terms.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';

const validity = { defaultSeconds: 300, minSeconds: 60, maxSeconds: 600 };
const now = 1_800_000_000;
const clock = { now: () => now * 1_000 };

describe('the window of a signature', () => {
  function windowOf(lifetime: number, headTime: number) {
    const { validAfter, validUntil } = chooseWindow(lifetime, { headTime, deposits: new Map() }, { clock, validity });
    return { from: validAfter - now, until: validUntil - now };
  }

  test('begins a minute before the earlier of the two clocks and lasts from the later', () => {
    expect(windowOf(300, now)).toEqual({ from: -60, until: 300 });
    expect(windowOf(300, now - 20)).toEqual({ from: -80, until: 300 });
    expect(windowOf(300, now + 20)).toEqual({ from: -60, until: 320 });
  });

  test('is no longer than the maximum by the earlier clock, but leaves the minimum by the later', () => {
    expect(windowOf(600, now - 100)).toEqual({ from: -160, until: 500 });
    expect(windowOf(600, now - 590)).toEqual({ from: -650, until: 60 });
    expect(windowOf(600, now + 590)).toEqual({ from: -60, until: 650 });
  });

  test('begins at 1 on a chain whose clock has just begun: 0 means open-ended to some contracts', () => {
    expect(windowOf(300, 30).from).toBe(1 - now);
  });
});

describe('the lifetime that a client wishes', () => {
  test.each([
    [undefined, 300],
    [60, 60],
    [61.9, 61],
    [600, 600],
  ])('%s seconds become %d', (wish, seconds) => {
    expect(readLifetime(wish, validity)).toEqual({ ok: true, value: seconds });
  });

  test.each([59, 0, -1, 601, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY])('%d is refused with the range', (wish) => {
    expect(readLifetime(wish, validity)).toMatchObject({
      refusal: {
        reason: 'INVALID_PARAMS',
        field: 'expiryDuration',
        message: expect.stringContaining('from 60 to 600'),
      },
    });
  });
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['SPONSORED', 'SPONSORED'],
  ['SPONSORSHIP', 'SPONSORED'],
  ['sponsor', 'SPONSORED'],
  ['ERC20', 'ERC20'],
  ['erc20', 'ERC20'],
])('mode "%s" is read as %s', (mode, read) => {
  expect(readMode(mode)).toEqual({ ok: true, value: read });
});

test('another mode is refused', () => {
  expect(readMode('sponsored')).toMatchObject({
    refusal: { reason: 'INVALID_PARAMS', message: 'mode must be SPONSORED or ERC20', field: 'mode' },
  });
});

test('the account’s kind has to be given where it is asked for, and what is missing is named', () => {
  const smartAccountInfo = { name: 'SIMPLE', version: '1.0.0' };
  const read = (context: object) => readSmartAccountInfo(context as Parameters<typeof readSmartAccountInfo>[0]);
  expect(read({ sponsorshipInfoGiven: true, smartAccountInfo })).toEqual({ ok: true, value: smartAccountInfo });
  expect(read({ sponsorshipInfoGiven: false })).toMatchObject({ refusal: { field: 'sponsorshipInfo' } });
  expect(read({ sponsorshipInfoGiven: true })).toMatchObject({
    refusal: { field: 'sponsorshipInfo.smartAccountInfo' },
  });
});

describe('nothing is signed', () => {
  const contract = numberedAddress(0xc1);
  function look({ headTime = now, isSilent = false, fault = '' }) {
    const watcher = {
      view: () => (isSilent ? undefined : { headTime, deposits: new Map() }),
      faultOf: (asked: string) => (asked === contract && fault !== '' ? fault : undefined),
    };
    const chain = { config: { chainId: 7, maxClockDifferenceSeconds: 100 }, watcher };
    const seen = viewChain(chain as unknown as Parameters<typeof viewChain>[0], contract, clock);
    return seen.ok ? 'signed' : `${seen.refusal.reason} ${seen.refusal.message}`;
  }

  test('while the node is silent', () => {
    expect(look({ isSilent: true })).toMatch(/^CHAIN_UNAVAILABLE The node of chain 7 does not respond/);
  });

  test('while the ledger does not follow, without a reason to the client', () => {
    const answer = look({ fault: 'the ledger misses 12 wei' });
    expect(answer).toMatch(/^CHAIN_UNAVAILABLE The ledger of this paymaster's contract is behind chain 7/);
    expect(answer).not.toContain('12 wei');
  });

  test('while the clocks are further apart than they may be, whichever is ahead', () => {
    expect(look({ headTime: now - 101 })).toContain('101 seconds older');
    expect(look({ headTime: now + 101 })).toContain('101 seconds newer');
    expect(look({ headTime: now - 100 })).toBe('signed');
    expect(look({ headTime: now + 100 })).toBe('signed');
  });
});

describe('the longest that a signature lasts', () => {
  /** What is read of the longest wish that is not refused, and of a day in token mode, which shortens it. */
  const ofPolicy = (maxValiditySeconds: number | undefined, validity: Partial<ValidityConfig> = {}) => {
    const policy = omitAbsent({ maxValiditySeconds });
    const parts = { validity: { defaultSeconds: 300, minSeconds: 60, maxSeconds: 600, ...validity } };
    const ask = (read: typeof readSignatureLifetime, expiryDuration: number) => {
      const found = read({ parts, profile: { policy }, context: { expiryDuration }, draft: { trace: [] } } as never);
      return found instanceof Promise ? expect.fail('It is not awaited.') : found;
    };
    const lifetimeOf = (read: typeof readSignatureLifetime, wish: number) => {
      const found = ask(read, wish);
      return found.ok ? found.value : expect.fail('It was refused.');
    };
    const tooLong = ask(readSignatureLifetime, 86_401);
    if (tooLong.ok) return expect.fail('It was not refused.');
    const longest = Number(/from 60 to (\d+) seconds/.exec(tooLong.refusal.message)?.[1]);
    expect(ask(readSignatureLifetime, longest + 1)).toMatchObject({ ok: false });
    expect(ask(readTokenLifetime, 59)).toMatchObject({ ok: false });
    return {
      sponsored: lifetimeOf(readSignatureLifetime, longest),
      inTokens: lifetimeOf(readTokenLifetime, 86_400),
    };
  };

  test('is the operator’s where the policy says nothing, also where policies may say more', () => {
    const { sponsored, inTokens } = ofPolicy(undefined, { maxSecondsByPolicy: 86_400 });
    expect(sponsored).toEqual({ lifetimeSeconds: 600, longestSeconds: 600, lastsLong: false });
    expect(inTokens).toEqual(sponsored);
  });

  test('is a day where policy and operator say so, and in token mode as short as ever', () => {
    const { sponsored, inTokens } = ofPolicy(86_400, { maxSecondsByPolicy: 86_400 });
    expect(sponsored).toEqual({ lifetimeSeconds: 86_400, longestSeconds: 86_400, lastsLong: true });
    expect(inTokens).toEqual({ lifetimeSeconds: 600, longestSeconds: 600, lastsLong: false });
  });

  test('is never above what the operator allows now, and can be less than that', () => {
    expect(ofPolicy(86_400).sponsored.lifetimeSeconds).toBe(600);
    expect(ofPolicy(86_400, { maxSecondsByPolicy: 7_200 }).sponsored.lifetimeSeconds).toBe(7_200);
    expect(ofPolicy(120)).toMatchObject({ sponsored: { lifetimeSeconds: 120 }, inTokens: { lifetimeSeconds: 120 } });
    expect(ofPolicy(30).sponsored.lifetimeSeconds).toBe(60);
  });
});
