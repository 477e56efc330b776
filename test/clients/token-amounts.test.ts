import fc from 'fast-check';
import { formatUnits } from 'viem';
import { describe, expect, test } from 'vitest';
import { parseNumbersAsText } from '../../clients/sdk/sponsor/get-fee-quote-or-data.ts';
import { maximumTokenAmount } from '../../clients/sdk/sponsor/token-quotes.ts';
import { wholeTokens } from '../../gateway/rpc/pm-get-fee-quote-or-data.ts';

const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 9n }),
  fc.bigInt({ min: 0n, max: 2n ** 128n }),
  fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 128n),
);
const decimals = fc.constantFrom(0, 1, 6, 8, 18, 36);

describe('maximumTokenAmount', () => {
  test('gives back exactly the base units a decimal text stands for', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, decimal) => {
        expect(maximumTokenAmount({ maxGasFee: formatUnits(amount, decimal), decimal })).toBe(amount);
      }),
    );
  });

  test('is never below the amount the service quoted, and at most a few parts in 10^15 above', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, decimal) => {
        const max = maximumTokenAmount({ maxGasFee: wholeTokens(amount, decimal), decimal });
        expect(max >= amount).toBe(true);
        expect(max - amount <= amount / 10n ** 15n + 1n).toBe(true);
      }),
    );
  });

  test.each([
    ['0.0000015', 6, 2n],
    ['0.0000010', 6, 1n],
    ['1e-7', 6, 1n],
    ['1.5E+3', 0, 1_500n],
    ['25e-1', 0, 3n],
    ['0', 18, 0n],
  ])('%s whole tokens of %i decimals are %s base units', (maxGasFee, decimal, expected) => {
    expect(maximumTokenAmount({ maxGasFee, decimal })).toBe(expected);
  });

  test.each([
    ['-1', 6],
    ['', 6],
    ['0x10', 6],
    ['1e9999', 6],
    ['NaN', 6],
    ['1', -1],
    ['1', 1.5],
    ['1', 256],
  ])('refuses %j with %d decimals', (maxGasFee, decimal) => {
    expect(() => maximumTokenAmount({ maxGasFee, decimal })).toThrow(RangeError);
  });
});

/** What numbers as text must give: the plain parse with each number written out. */
function withNumbersAsText(value: unknown): unknown {
  return typeof value === 'number'
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? value.map(withNumbersAsText)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNumbersAsText(inner)]))
        : value;
}

describe('parseNumbersAsText', () => {
  test('changes numbers and nothing else, whatever strings and keys hold', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseNumbersAsText(text)).toEqual(withNumbersAsText(JSON.parse(text)));
      }),
    );
  });

  test('keeps the digits of integers of any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 80n), max: 10n ** 80n }), (number) => {
        expect(parseNumbersAsText(`{"a":[${number}]}`)).toEqual({ a: [number.toString()] });
      }),
    );
  });

  test('reads a string of a megabyte full of quotes and digits', () => {
    const long = '1"\\2'.repeat(250_000);
    expect(parseNumbersAsText(JSON.stringify({ long, n: 1 }))).toEqual({ long, n: '1' });
  });
});
