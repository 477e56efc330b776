import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalText, wholeTokens } from '../../gateway/rpc/pm-get-fee-quote-or-data.ts';

const decimals = fc.integer({ min: 0, max: 36 });
const edges = [0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 128n, 10n ** 18n - 1n];
const amount = fc.oneof(
  fc.constantFrom(...edges),
  fc.bigInt({ min: 0n, max: 10n ** 6n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
  fc.bigInt({ min: 0n, max: 2n ** 128n }),
);
const runs = { numRuns: 2_000 };

/** Base units of plain decimal text, by text alone. */
function exactBaseUnits(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

describe('an amount in whole tokens', () => {
  test('never gives a client that computes in doubles fewer base units than the exact maximum', () => {
    fc.assert(
      fc.property(amount, decimals, (baseUnits, places) => {
        const read: number = JSON.parse(wholeTokens(baseUnits, places));
        expect(BigInt(Math.ceil(read * 10 ** places))).toBeGreaterThanOrEqual(baseUnits);
      }),
      runs,
    );
  });

  test('is a JSON number without exponent and with at most `decimal` fraction digits', () => {
    fc.assert(
      fc.property(amount, decimals, (baseUnits, places) => {
        const text = wholeTokens(baseUnits, places);
        expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d+)?$/);
        expect(text.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(places);
      }),
      runs,
    );
  });

  test('is rounded up, and by no more than a few parts in 10^15 or one base unit', () => {
    fc.assert(
      fc.property(amount, decimals, (baseUnits, places) => {
        const excess = exactBaseUnits(wholeTokens(baseUnits, places), places) - baseUnits;
        expect(excess).toBeGreaterThanOrEqual(0n);
        expect(excess).toBeLessThanOrEqual(baseUnits / 10n ** 15n + 1n);
      }),
      runs,
    );
  });

  test('gives no fewer base units either when the number’s own text is parsed', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 20 }), (baseUnits, places) => {
        const shown = String(JSON.parse(wholeTokens(baseUnits, places)));
        fc.pre(!shown.includes('e'));
        expect(shown.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(places);
        expect(exactBaseUnits(shown, places)).toBeGreaterThanOrEqual(baseUnits);
      }),
      runs,
    );
  });

  test.each([
    [1_500_000n, 6, '1.5'],
    [1n, 6, '0.000001'],
    [1n, 18, '0.000000000000000001'],
    [0n, 18, '0'],
    [7n, 0, '7'],
    [10n ** 21n, 18, '1000'],
  ])('%s with %s decimals is %s', (baseUnits, places, text) => {
    expect(wholeTokens(baseUnits, places)).toBe(text);
  });
});

test('an amount whose double is too small is bumped although its text was exact', () => {
  // 10^24 lies between two doubles and is read as the lower one.
  expect(BigInt(Math.ceil(1_000_000 * 10 ** 18))).toBeLessThan(10n ** 24n);
  expect(BigInt(Math.ceil(Number(wholeTokens(10n ** 24n, 18)) * 10 ** 18))).toBeGreaterThanOrEqual(10n ** 24n);
});

test('decimal text is exact', () => {
  fc.assert(
    fc.property(amount, decimals, (value, places) => {
      expect(exactBaseUnits(decimalText(value, places), places)).toBe(value);
    }),
    runs,
  );
});
