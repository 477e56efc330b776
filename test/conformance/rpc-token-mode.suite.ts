import { getAddress } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { callRpc, givenLimits, messageOf, refusalOf, resultOf } from '../support/interface/rpc-calls.ts';
import { expectFields } from './expect-fields.ts';
import { payingOperation } from './paying-operation.ts';
import { blindToken, dustToken, type RpcBench } from './rpc-bench.ts';

type Quote = {
  readonly symbol: string;
  readonly tokenAddress: string;
  readonly decimal: number;
  readonly maxGasFee: number;
  readonly validUntil: number;
};

const stranger = '0x00000000000000000000000000000000DeaDBeef';
const context = { mode: 'ERC20', calculateGasLimits: false };

/** `field` of every quote of a raw answer, as its JSON text stands there. */
function literals(text: string, field: string): string[] {
  return [...text.matchAll(new RegExp(`"${field}":([^,}]*)`, 'g'))].map(([, literal = '']) => literal);
}

/** What the signed token data grants: the most base units the contract can take for these limits and this fee. */
function signedMaximum(paymasterData: string, prefundGas: bigint, maxFeePerGas: bigint): bigint {
  const digits = paymasterData.slice(2);
  const field = (start: number, size: number) => BigInt(`0x${digits.slice(start * 2, (start + size) * 2)}`);
  // Mode, flags, two times of 6 bytes and the token (20) stand before postOpGas (16) and exchangeRate (32).
  const wei = (prefundGas + field(34, 16)) * maxFeePerGas;
  const amount = wei * field(50, 32);
  return (amount + 10n ** 18n - 1n) / 10n ** 18n;
}

/** Section 2.6 of the interface and what decision 3 says about tokens. */
export function describeTokenMode({ service, url, paymaster }: RpcBench): void {
  let operation: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    operation = await payingOperation(service().devnet);
  });
  const token = (symbol: string) => {
    const found = service().devnet.tokens.find((candidate) => candidate.symbol === symbol);
    if (found === undefined) throw new Error(`There is no token ${symbol}.`);
    return found.address;
  };
  const ask = (tokenInfo: unknown, more: object = {}) =>
    callRpc(url(), [operation, { ...context, tokenInfo, ...more }]);
  const quotes = async (tokenInfo: unknown) => resultOf(await ask(tokenInfo)) as unknown as { feeQuotes: Quote[] };
  const symbols = async (tokenInfo: unknown) => (await quotes(tokenInfo)).feeQuotes.map(({ symbol }) => symbol);

  describe('2.6 token fee quotes', () => {
    test('have MODE, paymasterAddress, feeQuotes and unsupportedTokens', async () => {
      const result = resultOf(await ask({ preferredToken: token('devUSD'), tokenList: [stranger] }));
      expectFields(
        result,
        { MODE: 'string', paymasterAddress: 'string', feeQuotes: 'object[]', unsupportedTokens: 'string[]' },
        { mode: 'string', decisionId: 'string' },
      );
      expect(result).toMatchObject({ MODE: 'ERC20', mode: 'ERC20', paymasterAddress: paymaster().address });
    });

    test('each has the fields of the interface', async () => {
      const { feeQuotes } = await quotes({ preferredToken: '', tokenList: [] });
      expect(feeQuotes.length).toBe(3);
      for (const quote of feeQuotes) {
        expectFields(quote, {
          symbol: 'string',
          decimal: 'number',
          tokenAddress: 'string',
          maxGasFee: 'number',
          maxGasFeeUSD: 'number',
          exchangeRate: 'number',
          premiumPercentage: 'string',
          validUntil: 'number',
          logoUrl: 'string',
        });
        expect(quote.tokenAddress).toBe(getAddress(quote.tokenAddress));
        expect(quote.validUntil).toBeGreaterThan(Date.now() / 1000);
      }
    });

    test('are estimated when the service is to calculate the limits', async () => {
      const { feeQuotes } = resultOf(await ask({ preferredToken: token('devUSD') }, { calculateGasLimits: true }));
      expect(feeQuotes).toMatchObject([{ symbol: 'devUSD' }]);
    });
  });

  describe('decision 3: token choice', () => {
    test('a preferredToken alone is the only one quoted', async () => {
      expect(await symbols({ preferredToken: token('devUSD') })).toEqual(['devUSD']);
    });

    test('preferredToken comes first whatever its premium, then tokenList by premium', async () => {
      const tokenList = [dustToken, token('devTKN')];
      expect(await symbols({ preferredToken: token('devUSD'), tokenList })).toEqual(['devUSD', 'devTKN', 'DUST']);
    });

    test('a tokenList alone is quoted by premium, each token once', async () => {
      const tokenList = [token('devUSD'), token('devTKN'), token('devUSD').toLowerCase()];
      expect(await symbols({ tokenList })).toEqual(['devTKN', 'devUSD']);
    });

    test.each([{}, { preferredToken: '', tokenList: [] }, { preferredToken: '' }, { tokenList: [] }])(
      '%j means all tokens of the chain, by premium; one without a price is left out',
      async (tokenInfo) => {
        expect(await symbols(tokenInfo)).toEqual(['devTKN', 'devUSD', 'DUST']);
      },
    );

    test('unsupported tokens come back as they were sent, whichever field named them', async () => {
      const sent = ['0x00000000000000000000000000000000deadbeef', 'nonsense', stranger];
      const result = resultOf(await ask({ preferredToken: sent[0], tokenList: [token('devTKN'), sent[1], sent[2]] }));
      expect(result.unsupportedTokens).toEqual(sent);
      expect(result.feeQuotes).toMatchObject([{ symbol: 'devTKN' }]);
    });

    test('with unsupported tokens alone nothing is quoted', async () => {
      const result = resultOf(await ask({ preferredToken: stranger }));
      expect([result.feeQuotes, result.unsupportedTokens]).toEqual([[], [stranger]]);
    });

    test('a missing tokenInfo is -32602 naming it', async () => {
      const answer = await ask(undefined);
      expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
      expect(messageOf(answer)).toContain('tokenInfo');
    });

    test('more than 100 tokens are -32602', async () => {
      const answer = await ask({ tokenList: Array.from({ length: 101 }, () => stranger) });
      expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
    });
  });

  describe('decision 3: numbers of a quote', () => {
    test('exchangeRate is the base units for 10^18 wei as an exact integer literal, however large', async () => {
      const { text } = await ask({ tokenList: [dustToken, token('devTKN'), token('devUSD')] });
      // 2,000 USD a coin: 800 devTKN of 2.5 USD, 2,000 devUSD, 2,000 DUST.
      expect(literals(text, 'exchangeRate')).toEqual([`800${'0'.repeat(18)}`, '2000000000', `2${'0'.repeat(39)}`]);
    });

    test('maxGasFee of a millionth of a millionth has no exponent and no more digits than the token', async () => {
      const cheap = { ...operation, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0' };
      const tokenInfo = { tokenList: [dustToken, token('devTKN'), token('devUSD')] };
      const { text } = await callRpc(url(), [cheap, { ...context, tokenInfo }]);
      const fees = literals(text, 'maxGasFee');
      // The token of six decimals is too coarse for such a fee, and is left out.
      expect(fees.map((fee) => /^\d+(?:\.\d+)?$/.test(fee))).toEqual([true, true]);
      const fractions = fees.map((fee) => fee.split('.')[1]?.length ?? 0);
      for (const [index, decimals] of [18, 36].entries()) expect(fractions[index]).toBeLessThanOrEqual(decimals);
      expect(Number(fees[0])).toBeLessThan(1e-6);
      expect(literals(text, 'maxGasFeeUSD').every((usd) => /^\d+(?:\.\d{1,6})?$/.test(usd))).toBe(true);
    });

    test('premiumPercentage is numeric text', async () => {
      const { text } = await ask({ tokenList: [dustToken, token('devTKN'), token('devUSD')] });
      expect(literals(text, 'premiumPercentage')).toEqual(['"2.5"', '"10"', '"15.25"']);
    });

    test.each(['devUSD', 'devTKN', 'DUST'])(
      'ceil(maxGasFee * 10^decimal) in doubles covers what is then signed at most (%s)',
      async (symbol) => {
        const address = symbol === 'DUST' ? dustToken : token(symbol);
        const { feeQuotes } = await quotes({ preferredToken: address });
        const [quote] = feeQuotes;
        if (quote === undefined) throw new Error('The token was not quoted.');
        const paying = { ...context, tokenInfo: { feeTokenAddress: address } };
        const signed = resultOf(await callRpc(url(), [operation, paying], 'pm_sponsorUserOperation'));
        const { callGasLimit, verificationGasLimit, preVerificationGas } = givenLimits;
        const gas =
          BigInt(callGasLimit + verificationGasLimit + preVerificationGas) +
          BigInt(String(signed.paymasterVerificationGasLimit)) +
          BigInt(String(signed.paymasterPostOpGasLimit));
        const max = signedMaximum(String(signed.paymasterData), gas, BigInt(String(operation.maxFeePerGas)));
        const quoted = BigInt(Math.ceil(quote.maxGasFee * 10 ** quote.decimal));
        expect(max).toBeGreaterThan(0n);
        expect(quoted).toBeGreaterThanOrEqual(max);
        // No more than rounding above it.
        expect(quoted - max).toBeLessThanOrEqual(max / 10n ** 14n + 1n);
      },
    );
  });

  describe('pm_sponsorUserOperation in token mode', () => {
    const sponsorWith = (tokenInfo: unknown) =>
      callRpc(url(), [operation, { ...context, tokenInfo }], 'pm_sponsorUserOperation');

    test('feeTokenAddress names the token; the answer is signed data with mode ERC20', async () => {
      const result = resultOf(await sponsorWith({ feeTokenAddress: token('devUSD') }));
      expectFields(
        { MODE: result.MODE, paymasterAndData: result.paymasterAndData },
        { MODE: 'string', paymasterAndData: 'string' },
      );
      expect(result).toMatchObject({ MODE: 'ERC20', mode: 'ERC20' });
      expect(String(result.paymasterData).toLowerCase()).toContain(token('devUSD').slice(2).toLowerCase());
    });

    test('an unsupported token is TOKEN_NOT_SUPPORTED', async () => {
      const answer = await sponsorWith({ feeTokenAddress: stranger });
      expect(refusalOf(answer)).toEqual([422, -32017, 'TOKEN_NOT_SUPPORTED']);
    });

    test.each([{}, { feeTokenAddress: '' }])('%j is -32602 naming feeTokenAddress', async (tokenInfo) => {
      const answer = await sponsorWith(tokenInfo);
      expect(refusalOf(answer)).toEqual([400, -32602, 'INVALID_PARAMS']);
      expect(messageOf(answer)).toContain('feeTokenAddress');
    });

    test('a token whose price cannot be read is PRICE_UNAVAILABLE with HTTP 503', async () => {
      const expected = [503, -32018, 'PRICE_UNAVAILABLE'];
      expect(refusalOf(await sponsorWith({ feeTokenAddress: blindToken }))).toEqual(expected);
      expect(refusalOf(await ask({ preferredToken: blindToken }))).toEqual(expected);
    });
  });
}
