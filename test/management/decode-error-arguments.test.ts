import fc from 'fast-check';
import { type AbiParameter, encodeAbiParameters, type Hex, parseAbiParameters, size } from 'viem';
import { describe, expect, test } from 'vitest';
import { decodeErrorArguments, describeCustomError, readCustomErrors } from '../../core/evm/abi/custom-errors.ts';
import { describeRevert } from '../../core/gas/failures/decode-failure.ts';

const plain = { bytes: (value: Hex) => value, string: (value: string) => `"${value}"` };

type Sample = { readonly type: string; readonly value: unknown; readonly text: string };

const elementary: fc.Arbitrary<Sample> = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => ({ type: 'uint256', value, text: String(value) })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ type: 'int64', value, text: String(value) })),
  fc.boolean().map((value) => ({ type: 'bool', value, text: String(value) })),
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => sampleBytes('bytes4', bytes)),
  fc.uint8Array({ maxLength: 70 }).map((bytes) => sampleBytes('bytes', bytes)),
  fc.string({ maxLength: 40 }).map((value) => ({ type: 'string', value, text: `"${value}"` })),
);

function sampleBytes(type: string, bytes: Uint8Array): Sample {
  const value = `0x${Buffer.from(bytes).toString('hex')}`;
  return { type, value, text: value };
}

/** A value and lists of it, of a fixed or any length. */
const sample: fc.Arbitrary<Sample> = elementary.chain((element) =>
  fc.constantFrom<Sample>(
    element,
    { type: `${element.type}[]`, value: [element.value, element.value], text: `[${element.text}, ${element.text}]` },
    { type: `${element.type}[]`, value: [], text: '[]' },
    {
      type: `${element.type}[1][2]`,
      value: [[element.value], [element.value]],
      text: `[[${element.text}], [${element.text}]]`,
    },
  ),
);

function parametersOf(samples: readonly Sample[]): AbiParameter[] {
  return [
    ...samples.map(({ type }) => ({ type })),
    { type: 'tuple', components: samples.map(({ type }, index) => ({ type, name: `part${index}` })) },
  ];
}

function encode(samples: readonly Sample[]): Hex {
  const tuple = Object.fromEntries(samples.map(({ value }, index) => [`part${index}`, value]));
  return encodeAbiParameters(parametersOf(samples), [...samples.map(({ value }) => value), tuple]);
}

const samples = fc.array(sample, { minLength: 1, maxLength: 4 });

describe('the arguments of an error', () => {
  test('are read as they were encoded', () => {
    fc.assert(
      fc.property(samples, (some) => {
        const texts = some.map(({ text }) => text);
        const decoded = decodeErrorArguments(parametersOf(some), encode(some), plain);
        expect(decoded).toEqual([...texts, `(${texts.join(', ')})`]);
      }),
      { numRuns: 200 },
    );
  });

  test('are never read from two encodings as the same', () => {
    fc.assert(
      fc.property(samples, fc.nat(), fc.integer({ min: 1, max: 255 }), (some, location, change) => {
        const bytes = Buffer.from(encode(some).slice(2), 'hex');
        const index = location % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ change;
        const decoded = decodeErrorArguments(parametersOf(some), `0x${bytes.toString('hex')}`, {
          ...plain,
          // Bytes that are no text are replaced by one and the same character.
          string: (value) => `${value}${value.includes('\ufffd') ? index + change : ''}`,
        });
        const original = decodeErrorArguments(parametersOf(some), encode(some), { ...plain, string: (value) => value });
        if (decoded !== undefined) expect(decoded).not.toEqual(original);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['a byte more', 'uint256', `${encodeAbiParameters(parseAbiParameters('uint256'), [1n])}00`],
    ['a word less', 'uint256, uint256', encodeAbiParameters(parseAbiParameters('uint256'), [1n])],
    ['an address that is too wide', 'address', `0x${'11'.repeat(32)}`],
    ['a truth value of 2', 'bool', `0x${'2'.padStart(64, '0')}`],
    ['a place outside', 'string', `0x${'ff'.repeat(32)}`],
    ['a length beyond the data', 'bytes', `0x${'20'.padStart(64, '0')}${'ff'.repeat(32)}`],
    ['a list longer than the data', 'uint256[]', `0x${'20'.padStart(64, '0')}${'ffff'.padStart(64, '0')}`],
    ['a fixed list longer than the data', 'uint256[1000000000]', `0x${'00'.repeat(64)}`],
  ] as const)('are not read from %s', (_, types, encoded) => {
    const inputs = types.split(', ').map((type) => ({ type }));
    expect(decodeErrorArguments(inputs, encoded as Hex, plain)).toBeUndefined();
  });

  test('are not counted when they have no size', () => {
    const inputs = [{ type: 'tuple[1000000000]', components: [] }];
    expect(decodeErrorArguments(inputs, '0x', plain)).toBeUndefined();
  });

  test('that all stand at one place are not read as many times', () => {
    const word = (value: number) => value.toString(16).padStart(64, '0');
    const count = 20;
    const encoded = `0x${word(32)}${word(count)}${word(count * 32).repeat(count)}${word(0)}` as const;
    expect(decodeErrorArguments([{ type: 'bytes[]' }], encoded, plain)).toBeUndefined();
  });
});

describe('a custom error', () => {
  // Two signatures with the selector 0xa9059cbb.
  const [transfer, babbage] = readCustomErrors(
    JSON.stringify([
      { type: 'error', name: 'transfer', inputs: [{ type: 'address' }, { type: 'uint256' }] },
      { type: 'error', name: 'many_msg_babbage', inputs: [{ type: 'bytes1' }] },
      { type: 'function', name: 'other', inputs: [], outputs: [], stateMutability: 'view' },
    ]),
  );
  if (transfer === undefined || babbage === undefined) throw new Error('The errors were not read.');

  test('whose selector two errors share is shown as each that it can be', () => {
    expect(transfer.selector).toBe(babbage.selector);
    const errors = [transfer, babbage, transfer];
    expect(describeCustomError(transfer.selector, errors, plain)).toBe('transfer(…) or many_msg_babbage(…)');
    const one = `${transfer.selector}41${'00'.repeat(31)}` as const;
    expect(describeCustomError(one, errors, plain)).toBe('many_msg_babbage(0x41)');
  });

  test('cannot make its description long', () => {
    const inputs = [{ type: 'string[]' }];
    const [many] = readCustomErrors(JSON.stringify([{ type: 'error', name: 'Many', inputs }]));
    if (many === undefined) throw new Error('The error was not read.');
    const encoded = encodeAbiParameters(inputs, [Array(7).fill('x'.repeat(60))]);
    const described = describeRevert(`${many.selector}${encoded.slice(2)}`, [many]);
    expect(described).toMatch(/^Many\(\["x{60}", /);
    expect(described.length).toBe(400);
    expect(size(encoded)).toBeLessThan(1_024);
  });
});

describe('an error with very many parameters', () => {
  const uint8 = { type: 'uint8' };
  const hollow = { type: 'tuple', components: [] };
  const read = (...inputs: readonly object[]) =>
    readCustomErrors(JSON.stringify([{ type: 'error', name: 'Refused', inputs }]));
  const shown = (errors: ReturnType<typeof read>, words: number) =>
    describeCustomError(`${errors[0]?.selector ?? '0x'}${'00'.repeat(32 * words)}`, errors, plain);

  test('is decoded as long as revert data can hold it', () => {
    expect(shown(read(...Array(32).fill(uint8)), 32)).toBe(`Refused(${Array(32).fill('0').join(', ')})`);
    expect(shown(read({ type: 'tuple', components: Array(63).fill(hollow) }), 0)).toContain('Refused((()');
  });

  test.each([
    ['side by side', Array(65).fill(uint8)],
    ['in a tuple', [{ type: 'tuple', components: Array(64).fill(uint8) }]],
    ['that take no place in the data', Array(13_000).fill(hollow)],
    ['in two tuples', Array(2).fill({ type: 'tuple', components: Array(32).fill(hollow) })],
  ])('is known by its name alone when they stand %s', (_where, inputs) => {
    const errors = read(...inputs);
    expect(errors).toMatchObject([{ name: 'Refused' }]);
    expect(JSON.stringify(errors).length).toBeLessThan(200);
    expect(shown(errors, 0)).toBe('Refused(…)');
  });
});
