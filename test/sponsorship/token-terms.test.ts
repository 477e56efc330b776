import type { Address } from 'viem';
import { describe, expect, test } from 'vitest';
import { accept, refuse } from '../../core/domain/result/result.ts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { createSimulationTurns } from '../../core/sponsorship/run/simulation-turns.ts';
import { chooseTokens, namedFeeToken, takenTokens } from '../../core/sponsorship/tokens/choose-tokens.ts';
import { keepQuote } from '../../core/sponsorship/tokens/keep-quote.ts';
import { readTokenRates } from '../../core/sponsorship/tokens/read-token-rates.ts';
import { tryPayment } from '../../core/sponsorship/tokens/try-payment.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { operationWith, takeStep } from '../support/core/step-lab.ts';

const tokens = [1, 2, 3].map((number) => ({ address: numberedAddress(number), symbol: `T${number}`, decimals: 6 }));
const [first, second, third] = tokens as [Token, Token, Token];
type Token = (typeof tokens)[number];
const rates = { tokens, find: (address: string) => tokens.find((token) => token.address === address) } as never;

describe('the tokens that a request is quoted in', () => {
  test('are those it lists, the preferred one first, each once, and those not taken next to them', () => {
    const tokenList = [first.address, '', 'none', second.address, 'none', first.address];
    const chosen = chooseTokens({ preferredToken: second.address, tokenList }, rates);
    expect(chosen).toEqual({ preferred: second, tokens: [second, first], unsupported: ['none'] });
  });

  test('are all when it lists none', () => {
    for (const info of [undefined, {}, { preferredToken: '', tokenList: [''] }]) {
      expect(chooseTokens(info, rates)).toEqual({ preferred: undefined, tokens, unsupported: [] });
    }
  });

  test('are none but its own when that is not taken', () => {
    const chosen = chooseTokens({ preferredToken: 'none' }, rates);
    expect(chosen).toEqual({ preferred: undefined, tokens: [], unsupported: ['none'] });
  });
});

test('the token to pay in is feeTokenAddress, or preferredToken where that is missing or empty', () => {
  expect(namedFeeToken({ feeTokenAddress: 'fee', preferredToken: 'preferred' })).toBe('fee');
  expect(namedFeeToken({ feeTokenAddress: '', preferredToken: 'preferred' })).toBe('preferred');
  expect(namedFeeToken({ feeTokenAddress: '', preferredToken: '' })).toBeUndefined();
  expect(namedFeeToken(undefined)).toBeUndefined();
});

describe('the tokens that a paymaster takes', () => {
  function taken(modes: readonly string[], allowed?: readonly Address[]) {
    const policy = allowed === undefined ? {} : { tokens: { enabled: true, allowed } };
    const identified = { chain: { rates }, contract: { family: { modes } }, profile: { policy } };
    // What is looked at.
    return takenTokens(identified as unknown as Parameters<typeof takenTokens>[0]);
  }

  test('are none of a contract that only sponsors', () => {
    expect(taken(['SPONSORED']).tokens).toEqual([]);
    expect(taken(['SPONSORED']).find(first.address)).toBeUndefined();
  });

  test('are those of the chain that its policy takes', () => {
    expect(taken(['ERC20']).tokens).toEqual(tokens);
    expect(taken(['ERC20']).find(first.address)).toBe(first);
    expect(taken(['ERC20']).find(numberedAddress(9))).toBeUndefined();
    expect(taken(['ERC20'], [second.address]).tokens).toEqual([second]);
    expect(taken(['ERC20'], [second.address]).find(first.address)).toBeUndefined();
  });
});

describe('the prices of the tokens', () => {
  const unpriced = refuse({ reason: 'PRICE_UNAVAILABLE', message: 'no price' });
  const premium = new Map<Token, number>([
    [first, 300],
    [second, 0],
    [third, 200],
  ]);

  async function look(chosen: readonly Token[], preferred: Token | undefined, without: readonly Token[] = []) {
    const rate = async (token: Token, own: number) =>
      without.includes(token) ? unpriced : accept({ token, premiumBasisPoints: (premium.get(token) ?? 0) + own });
    return takeStep(readTokenRates, {
      chain: { rates: { rate } },
      contract: { premiumBasisPoints: 0 },
      chosen: { tokens: chosen, preferred, unsupported: [] },
      lifetimeSeconds: 100,
      longestSeconds: 1_000,
      userPercent: 100,
      view: { headTime: 1_800_000_000 },
      parts: { clock: { now: () => 1_800_000_000_000 }, validity: { minSeconds: 10 } },
    });
  }

  async function read(...asked: Parameters<typeof look>) {
    const { result } = await look(...asked);
    return result.ok ? result.value.rates.map(({ token }) => token.symbol).join() : result.refusal.reason;
  }

  test('are in the order of their premium, the preferred one first', async () => {
    expect(await read(tokens, undefined)).toBe('T2,T3,T1');
    expect(await read(tokens, first)).toBe('T1,T2,T3');
  });

  test.each([
    [[first], 'the price of the token'],
    [tokens, 'the prices of 3 tokens'],
  ])('are said to have been looked at: %#', async (chosen, checked) => {
    expect((await look(chosen, undefined)).trace).toMatchObject([{ rule: 'token-price', verdict: 'passed', checked }]);
  });

  test('leave out a token without one, but not the preferred one, nor all of them', async () => {
    expect(await read(tokens, undefined, [second])).toBe('T3,T1');
    expect(await read(tokens, third, [second])).toBe('T3,T1');
    expect(await read(tokens, second, [second])).toBe('PRICE_UNAVAILABLE');
    expect(await read(tokens, undefined, tokens)).toBe('PRICE_UNAVAILABLE');
  });
});

const now = 1_800_000_000;
/** What a family charges: its rate for each gas of the call. */
const maximumTokenCharge = ({ gas }: UserOperationWithGas, { exchangeRate }: { exchangeRate: bigint }) =>
  gas.callGasLimit * exchangeRate;

function quoted(quote: { maximum: bigint; exchangeRate: bigint; validUntil: number } | undefined) {
  return {
    contract: { family: { maximumTokenCharge } },
    profile: { paymaster: { paymasterId: 'p' } },
    operation: operationWith(),
    parts: { clock: { now: () => now * 1_000 }, validity: { minSeconds: 30 } },
    quote,
  };
}

describe('what was quoted', () => {
  async function keep(exchangeRate: bigint, quote: Parameters<typeof quoted>[0]) {
    const signedTerms = { mode: 'ERC20', token: first.address, exchangeRate, validAfter: 1, validUntil: now + 300 };
    const { result } = await takeStep(keepQuote, { ...quoted(quote), signedTerms });
    if (!result.ok) return result.refusal;
    return { rate: result.value.signedTerms.exchangeRate, lasts: result.value.signedTerms.validUntil - now };
  }
  const quote = { maximum: 7_000n, exchangeRate: 7n, validUntil: now + 100 };

  test('changes nothing where there is none, or where the price has not risen', async () => {
    expect(await keep(8n, undefined)).toEqual({ rate: 8n, lasts: 300 });
    expect(await keep(7n, quote)).toEqual({ rate: 7n, lasts: 300 });
    expect(await keep(6n, quote)).toEqual({ rate: 6n, lasts: 300 });
  });

  test('is kept where the price has risen, until the quote ends, but for the shortest lifetime at least', async () => {
    expect(await keep(8n, quote)).toEqual({ rate: 7n, lasts: 100 });
    expect(await keep(8n, { ...quote, validUntil: now + 10 })).toEqual({ rate: 7n, lasts: 30 });
    expect(await keep(8n, { ...quote, validUntil: now + 900 })).toEqual({ rate: 7n, lasts: 300 });
  });

  test('cannot be kept where the operation itself has become more expensive', async () => {
    expect(await keep(8n, { ...quote, maximum: 6_999n })).toMatchObject({
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'QUOTE',
      details: { limit: 'quotedMaximum', quoted: '6999', asked: '8000' },
    });
  });
});

describe('a trial of the payment', () => {
  /** What a family takes in advance at most. */
  const mostInAdvance = () => 77n;
  const signedTerms = { mode: 'ERC20', token: first.address, exchangeRate: 1n, tokenRecipient: numberedAddress(9) };

  /** Trials that come to these answers, one after the other: the gas that postOp needs, or why the payment fails. */
  async function pay(
    answers: readonly (bigint | 'TOKEN_PAYMENT_FAILS' | 'CHAIN_UNAVAILABLE')[],
    over: { takesInAdvance?: boolean; wish?: bigint; version?: '0.6' | '0.7' } = {},
  ) {
    const left = [...answers];
    const paymentTrial = {
      try: async () => {
        const answer = left.shift() ?? 'CHAIN_UNAVAILABLE';
        return typeof answer === 'bigint' ? accept({ postOpGas: answer }) : refuse({ reason: answer, message: 'no' });
      },
    };
    const { contract, ...rest } = quoted(undefined);
    const family = { ...contract.family, ...(over.takesInAdvance ? { mostInAdvance } : {}) };
    const { result, trace } = await takeStep(tryPayment, {
      ...rest,
      parts: { simulations: createSimulationTurns({ now: () => 0 }) },
      request: {},
      context: { calculateGasLimits: false },
      profile: { paymaster: { paymasterId: 'paymaster' } },
      operation: operationWith({ entryPointVersion: over.version ?? '0.7' }),
      contract: { family, location: { entryPoint: '0xe1', address: '0xc1' } },
      chain: { paymentTrial },
      token: first,
      givenGas: over.wish === undefined ? {} : { paymasterPostOpGasLimit: over.wish },
      signedTerms,
    });
    const { checked } = trace[0] ?? {};
    if (!result.ok) return { reason: result.refusal.reason, field: result.refusal.field, left: left.length };
    const { operation, signedTerms: granted } = result.value;
    const inAdvance = 'inAdvance' in granted ? granted.inAdvance : undefined;
    return { postOp: operation.gas.paymasterPostOpGasLimit, inAdvance, left: left.length, checked };
  }

  test('that needs no more than the limit leaves it as it is', async () => {
    expect(await pay([5_000n])).toMatchObject({ postOp: 5_000n, inAdvance: undefined, left: 0 });
  });

  test('that needs more raises it by a tenth above the need, and is made once more', async () => {
    expect(await pay([6_000n, 6_600n])).toMatchObject({ postOp: 6_600n, left: 0 });
    expect(await pay([6_000n, 6_601n])).toMatchObject({
      reason: 'ESTIMATION_FAILED',
      field: 'paymasterPostOpGasLimit',
    });
  });

  test('that fails with the higher limit fails', async () => {
    expect(await pay([6_000n, 'TOKEN_PAYMENT_FAILS'])).toMatchObject({ reason: 'TOKEN_PAYMENT_FAILS' });
  });

  test('takes the client’s own limit where that suffices and is not excessive', async () => {
    expect(await pay([6_000n, 6_000n], { wish: 6_000n })).toMatchObject({ postOp: 6_000n });
    expect(await pay([6_000n, 6_000n], { wish: 13_200n })).toMatchObject({ postOp: 13_200n });
    expect(await pay([6_000n, 6_000n], { wish: 13_201n })).toMatchObject({ postOp: 6_600n });
    expect(await pay([6_000n, 6_000n], { wish: 5_999n })).toMatchObject({ postOp: 6_600n });
  });

  test('with EntryPoint 0.6 names the limit that bounds it there', async () => {
    expect(await pay([2_000n], { version: '0.6' })).toMatchObject({ left: 0, postOp: 5_000n });
    const refused = { reason: 'ESTIMATION_FAILED', field: 'verificationGasLimit' };
    expect(await pay([2_001n, 1n], { version: '0.6' })).toMatchObject({ ...refused, left: 1 });
  });

  test('is made with tokens taken in advance first, and without where those are not ready', async () => {
    const takesInAdvance = true;
    const paid = await pay([1n, 1n], { takesInAdvance });
    expect(paid).toMatchObject({
      inAdvance: 77n,
      left: 1,
      checked: expect.stringContaining('collected before the call'),
    });
    const later = await pay(['TOKEN_PAYMENT_FAILS', 1n], { takesInAdvance });
    expect(later).toMatchObject({ inAdvance: undefined, left: 0 });
    expect(later.checked).not.toContain('before');
    const down = { reason: 'CHAIN_UNAVAILABLE', left: 1 };
    expect(await pay(['CHAIN_UNAVAILABLE', 1n], { takesInAdvance })).toMatchObject(down);
  });
});
