import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exchangeRate, rateWithPremium, usdMicros } from '../../core/quotes/token-rates.ts';

const price = fc.record({ value: fc.bigInt({ min: 1n, max: 10n ** 30n }), decimals: fc.integer({ min: 0, max: 18 }) });
const tokenDecimals = fc.integer({ min: 0, max: 36 });
const wholeCoin = 10n ** 18n;

describe('exchange rate', () => {
  test('is token base units for 10^18 wei', () => {
    // 2,000 USD for the coin, 1 USD for a token of 6 decimals.
    expect(exchangeRate({ value: 2_000n, decimals: 0 }, { value: 100_000_000n, decimals: 8 }, 6)).toBe(2_000_000_000n);
    // 2,328.08808808808 USD against 10 USD, 18 decimals.
    expect(exchangeRate({ value: 232_808_808_808_808n, decimals: 11 }, { value: 10n, decimals: 0 }, 18)).toBe(
      232_808_808_808_808_000_000n,
    );
  });

  test('never costs the sponsor: paid at the rate, the coin is worth no more than the tokens', () => {
    fc.assert(
      fc.property(price, price, tokenDecimals, (native, token, decimals) => {
        const rate = exchangeRate(native, token, decimals);
        const tokensWorth = rate * token.value * 10n ** BigInt(native.decimals);
        const coinWorth = native.value * 10n ** BigInt(token.decimals + decimals);
        expect(tokensWorth >= coinWorth).toBe(true);
        expect((rate - 1n) * token.value * 10n ** BigInt(native.decimals) < coinWorth).toBe(true);
      }),
    );
  });

  test('is exact where doubles and machine integers are not', () => {
    const edge = fc.constantFrom(2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 128n);
    const decimals = fc.constantFrom(0, 6, 18, 36);
    fc.assert(
      fc.property(edge, edge, decimals, decimals, (native, token, priceDecimals, ofToken) => {
        const rate = exchangeRate({ value: native, decimals: priceDecimals }, { value: token, decimals: 18 }, ofToken);
        const scale = ofToken + 18 - priceDecimals;
        const [up, down] = scale < 0 ? [1n, 10n ** BigInt(-scale)] : [10n ** BigInt(scale), 1n];
        const left = rate * token * down - native * up;
        expect(left >= 0n && left < token * down).toBe(true);
      }),
    );
  });

  test('a premium is at least its share of the rate and within one base unit of it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 130n }), fc.integer({ min: 0, max: 20_000 }), (rate, basisPoints) => {
        const exact = rate * BigInt(10_000 + basisPoints);
        const charged = rateWithPremium(rate, basisPoints) * 10_000n;
        expect(charged >= exact && charged - exact < 10_000n).toBe(true);
      }),
    );
  });

  test('a worth in millionths of a dollar is rounded up', () => {
    expect(usdMicros(1n, { value: 1n, decimals: 0 }, 18)).toBe(1n);
    expect(usdMicros(2_500_000n, { value: 1_0001n, decimals: 4 }, 6)).toBe(2_500_250n);
    expect(usdMicros(wholeCoin, { value: 1n, decimals: 0 }, 18)).toBe(1_000_000n);
  });
});
