import fc from 'fast-check';
import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  parseAbiParameters,
  stringToHex,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../core/evm/abi/argument-type.ts';
import { readCallArguments } from '../../core/evm/abi/read-call-arguments.ts';
import { countOutcomes } from '../support/arbitrary/count-outcomes.ts';
import { methodAndArguments, type Shape } from './abi-shapes.ts';

const selector = '0x12345678';

function read(parameters: readonly AbiParameter[], encoded: Hex) {
  const known = readArguments(parameters);
  if (known === undefined) throw new Error('The parameters have types that are not known.');
  return readCallArguments(known, `${selector}${encoded.slice(2)}`);
}

function componentsOf({ parameter }: Shape): readonly AbiParameter[] {
  return 'components' in parameter ? parameter.components : [];
}

/** What viem reads, as the values were made; nothing when it refuses. */
function readByViem(shape: Shape, encoded: Hex): unknown {
  try {
    return shape.fromViem(decodeAbiParameters(componentsOf(shape), encoded));
  } catch {
    return undefined;
  }
}

test('what viem encodes is read as it was meant', () => {
  fc.assert(
    fc.property(methodAndArguments, ({ shape, values }) => {
      expect(read(componentsOf(shape), encodeAbiParameters(componentsOf(shape), values))).toEqual(values);
    }),
    { numRuns: 400 },
  );
});

const wordDigits = 64;
const wordOf = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(wordDigits, '0');
const location = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** Numbers that could be offsets or lengths, or are far out of every range. */
const word = fc.oneof(
  fc.integer({ min: 0, max: 20 }).map((words) => wordOf(32n * BigInt(words))),
  fc.integer({ min: 0, max: 40 }).map((value) => wordOf(BigInt(value))),
  fc.constantFrom(2n ** 32n - 32n, 2n ** 31n, 2n ** 64n, 2n ** 160n, 2n ** 255n, -1n, -32n).map(wordOf),
);
const at = (digits: string, part: number, unit: number) => Math.floor((part * digits.length) / unit) * unit;
const over = (digits: string, start: number, text: string) =>
  `${digits.slice(0, start)}${text}${digits.slice(start + text.length)}`;

/** One change of an encoding, in hex digits. */
const mutation: fc.Arbitrary<(digits: string) => string> = fc.oneof(
  fc.tuple(location, word).map(
    ([part, text]) =>
      (digits: string) =>
        over(digits, at(digits, part, wordDigits), text),
  ),
  fc.tuple(location, fc.integer({ min: 1, max: 15 })).map(([part, flip]) => (digits: string) => {
    const start = at(digits, part, 1);
    return over(digits, start, (Number.parseInt(digits[start] ?? '0', 16) ^ flip).toString(16));
  }),
  fc.tuple(location, location).map(([from, to]) => (digits: string) => {
    const start = at(digits, from, wordDigits);
    return over(digits, at(digits, to, wordDigits), digits.slice(start, start + wordDigits));
  }),
  location.map((part) => (digits: string) => digits.slice(0, at(digits, part, 2))),
  location.map((part) => (digits: string) => digits.slice(0, at(digits, part, wordDigits))),
  fc.tuple(location, word).map(([part, text]) => (digits: string) => {
    const start = at(digits, part, wordDigits);
    return `${digits.slice(0, start)}${text}${digits.slice(start)}`;
  }),
  fc.constantFrom('00', '01', wordOf(0n), wordOf(1n)).map((more) => (digits: string) => `${digits}${more}`),
);

test('an encoding that someone has changed is refused, or is what viem reads and would write', () => {
  const outcomes = countOutcomes('refused', 'read');
  fc.assert(
    fc.property(
      methodAndArguments,
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      ({ shape, values }, mutations) => {
        const parameters = componentsOf(shape);
        const digits = encodeAbiParameters(parameters, values).slice(2);
        const changed: Hex = `0x${mutations.reduce((text, mutate) => mutate(text), digits)}`;
        const found = read(parameters, changed);
        if (found === undefined) return outcomes.note('refused');
        outcomes.note('read');
        expect(found).toEqual(readByViem(shape, changed));
        expect(encodeAbiParameters(parameters, found)).toBe(changed);
      },
    ),
    { numRuns: 1_500 },
  );
  outcomes.expectAllSeen();
});

describe('what a contract could read otherwise, or not at all, is refused', () => {
  const words = (...values: readonly (bigint | string)[]): Hex =>
    `0x${values.map((value) => (typeof value === 'bigint' ? wordOf(value) : value)).join('')}`;
  const text = (value: string) => stringToHex(value, { size: 32 }).slice(2);

  test.each<[string, string, Hex]>([
    ['an address with dirt above it', 'address', words(2n ** 160n + 5n)],
    ['a flag that is neither', 'bool', words(2n)],
    ['a number that is too large', 'uint8', words(256n)],
    ['a negative number that is too small', 'int8', words(-129n)],
    ['a positive number whose sign is cut', 'int8', words(128n)],
    ['bytes with dirt behind them', 'bytes4', words(`${'11'.repeat(4)}${'00'.repeat(27)}01`)],
    ['a dirty end of bytes', 'bytes', words(32n, 1n, `aa01${'00'.repeat(30)}`)],
    ['bytes whose padding is missing', 'bytes', `${words(32n, 1n)}aa`],
    ['text that is not UTF-8', 'string', words(32n, 1n, `ff${'00'.repeat(31)}`)],
    ['an argument too few', 'uint256, uint256', words(1n)],
    ['half a word', 'uint256', `0x${'00'.repeat(31)}`],
    ['a word more', 'uint256', words(1n, 0n)],
    ['a byte more, as forwarders put it there', 'uint256', `${words(1n)}ff`],
    ['two values in one place', 'bytes, bytes', words(64n, 64n, 1n, `aa${'00'.repeat(31)}`)],
    ['values in another order', 'string, string', words(128n, 64n, 1n, text('a'), 1n, text('b'))],
    ['a gap before a value', 'bytes', words(64n, 0n, 0n)],
    ['a value in its own head', 'bytes', words(0n)],
    ['an offset that wraps around', 'bytes', words(-32n, 0n)],
    ['a list longer than the data', 'uint256[]', words(32n, 2n, 1n)],
    ['a list of nearly endless length', 'uint256[]', words(32n, 2n ** 32n - 1n)],
    ['lists in lists that share their place', 'uint256[][][]', words(32n, 3n, 0n, 0n, 0n)],
    ['a fixed list of nearly endless length', 'uint256[4294967295][4294967295]', words(1n)],
    ['half a byte behind it', 'uint256', `${words(1n)}0`],
    ['nothing', 'address', '0x'],
  ])('%s', (_, types, encoded) => {
    expect(read(parseAbiParameters(types), encoded)).toBeUndefined();
  });

  test('and the same, well encoded, is read', () => {
    expect(
      read(parseAbiParameters('bytes, uint256[][]'), words(64n, 128n, 1n, `aa${'00'.repeat(31)}`, 1n, 32n, 0n)),
    ).toEqual(['0xaa', [[]]]);
  });
});

test('types that no compiler encodes are not read', () => {
  for (const type of ['fixed128x18', 'ufixed8x1[]']) expect(readArguments([{ type }])).toBeUndefined();
  expect(readArguments([{ type: 'tuple[]', components: [] }])).toBeUndefined();
});
