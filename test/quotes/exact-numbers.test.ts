import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJson, readTime } from '../../core/quotes/http-price.ts';
import { followJsonPath, parseJsonPath } from '../../core/quotes/json-path.ts';
import { readDecimal } from '../../core/quotes/price-source.ts';

/** Numbers that doubles, signed 64-bit and 128-bit integers do not hold, and their neighbours. */
const edges = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 128n - 1n, 2n ** 128n];

describe('a decimal number', () => {
  test.each([
    ['0', 0n, 0],
    ['1999.99', 199_999n, 2],
    ['-1.50', -150n, 2],
    ['2.5e-7', 25n, 8],
    ['1E3', 1_000n, 0],
    ['1.25e+1', 125n, 1],
    ['0.30000000000000004', 30_000_000_000_000_004n, 17],
  ])('%s is read exactly', (text, value, decimals) => {
    expect(readDecimal(text)).toEqual({ value, decimals });
  });

  test.each(['', ' 1', '1 ', '+1', '.5', '5.', '1,000', '0x10', '1e', 'NaN', 'Infinity', '1e999', '1e41', '١'])(
    '%j is none',
    (text) => {
      expect(readDecimal(text)).toBeUndefined();
    },
  );

  test('of more than 40 digits on one side of the point is none', () => {
    expect(readDecimal('9'.repeat(40))).toEqual({ value: 10n ** 40n - 1n, decimals: 0 });
    expect(readDecimal('9'.repeat(41))).toBeUndefined();
    expect(readDecimal(`0.${'1'.repeat(41)}`)).toBeUndefined();
  });

  test('keeps every digit through a JSON document, as a number and as a text', () => {
    const value = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 130n }));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 6, 18, 36), (digits, decimals) => {
        const padded = digits.toString().padStart(decimals + 1, '0');
        const point = padded.length - decimals;
        const text = decimals === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`;
        for (const json of [`{"usd": ${text}}`, `{"usd":"${text}"}`]) {
          const found = followJsonPath(parseExactJson(json), ['usd']);
          expect(found).toBe(text);
          expect(readDecimal(String(found))).toEqual({ value: digits, decimals });
        }
      }),
    );
  });
});

describe('JSON with its numbers as text', () => {
  test('is what JSON.parse says, but for the numbers', () => {
    const withoutKinds = (_: string, value: unknown) =>
      typeof value === 'number' || (typeof value === 'string' && /^-?\d/.test(value)) ? Number(value) : value;
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const exact = JSON.parse(JSON.stringify(parseExactJson(json)), withoutKinds);
        expect(exact).toEqual(JSON.parse(json, withoutKinds));
      }),
    );
  });

  test('leaves digits inside strings and keys alone', () => {
    const json = '{"a\\"1":"2 \\\\","3":[-4.50,{"5":"6e7"}]}';
    expect(parseExactJson(json)).toEqual({ 'a"1': '2 \\', '3': ['-4.50', { '5': '6e7' }] });
  });

  test.each(['', '{', '{"a":01}', '{"a":1.}', '[1 2]', '--1', '{"a":1e}', 'NaN', "{'a':1}"])('%j is none', (text) => {
    expect(parseExactJson(text)).toBeUndefined();
  });
});

describe('a path', () => {
  const document = parseExactJson('{"data":{"prices":[{"usd":1},{"usd":2}],"a-b_$":3},"__proto__":{"x":4}}');

  test.each([
    ['data.prices[1].usd', '2'],
    ['data.a-b_$', '3'],
    ['__proto__.x', '4'],
    ['data.prices[2].usd', undefined],
    ['data.prices.length', undefined],
    ['data.constructor', undefined],
    ['data.toString.name', undefined],
    ['data.prices[0].usd.x', undefined],
  ])('%s leads to %s', (path, value) => {
    const steps = parseJsonPath(path);
    const found = steps && followJsonPath(document, steps);
    // The length of a list is a number of ours, not a text of theirs.
    expect(typeof found === 'string' ? found : undefined).toBe(value);
  });

  test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a[]', 'a[x]', 'a[0]b', '[0]', 'a b', 'a/b', `a${'.b'.repeat(16)}`])(
    '%j is none',
    (path) => {
      expect(parseJsonPath(path)).toBeUndefined();
    },
  );
});

describe('a time', () => {
  test.each([
    ['1700000000', 1_700_000_000],
    ['1700000000.9', 1_700_000_000],
    ['1700000000123', 1_700_000_000],
    ['2023-11-14T22:13:20Z', 1_700_000_000],
    ['2023-11-14t22:13:20.999z', 1_700_000_000],
    ['2023-11-15T00:13:20+02:00', 1_700_000_000],
    ['2023-11-14T22:13:20', undefined],
    ['2023-11-14', undefined],
    ['2023-13-14T22:13:20Z', undefined],
    ['-1700000000', undefined],
    ['yesterday', undefined],
    ['', undefined],
  ])('written as %j is %s', (text, seconds) => {
    expect(readTime(text)).toBe(seconds);
  });
});
