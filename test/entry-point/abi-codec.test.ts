import fc from 'fast-check';
import { type AbiParameter, decodeAbiParameters, encodeAbiParameters, getAddress, type Hex, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { createAbiDecoder } from '../../core/evm/abi/abi-decoder.ts';
import { createAbiEncoder } from '../../core/evm/abi/abi-encoder.ts';

/** A type next to any value of it, as viem has it. */
type Typed = { readonly parameter: AbiParameter; readonly value: fc.Arbitrary<unknown> };

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const fixed = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(hexOf);
const leaves: readonly (readonly [type: string, value: fc.Arbitrary<unknown>])[] = [
  ['address', fixed(20).map((address) => getAddress(address))],
  ['bool', fc.boolean()],
  ['uint8', fc.nat(255)],
  ['uint48', fc.nat(2 ** 31 - 1)],
  ['uint128', fc.bigInt(0n, 2n ** 128n - 1n)],
  ['uint256', fc.bigInt(0n, 2n ** 256n - 1n)],
  ['bytes4', fixed(4)],
  ['bytes32', fixed(32)],
  ['bytes', fc.uint8Array({ maxLength: 100 }).map(hexOf)],
];

const leaf: fc.Arbitrary<Typed> = fc.constantFrom(...leaves).map(([type, value]) => ({ parameter: { type }, value }));

function tupleOf(parts: readonly Typed[]): Typed {
  const components = parts.map(({ parameter }, index) => ({ ...parameter, name: `field${index}` }));
  const fields = Object.fromEntries(parts.map(({ value }, index) => [`field${index}`, value]));
  return { parameter: { type: 'tuple', components }, value: fc.record(fields) };
}

function arrayOf({ parameter, value }: Typed): Typed {
  return { parameter: { ...parameter, type: `${parameter.type}[]` }, value: fc.array(value, { maxLength: 3 }) };
}

const tuple = fc.array(leaf, { minLength: 1, maxLength: 4 }).map(tupleOf);
const list = fc.oneof(leaf, tuple).map(arrayOf);
const nested = fc.array(fc.oneof(leaf, tuple, list), { minLength: 1, maxLength: 4 }).map(tupleOf);
const arguments_ = fc.array(fc.oneof(leaf, tuple, list, nested), { minLength: 1, maxLength: 4 }).chain((types) =>
  fc.tuple(...types.map(({ value }) => value)).map((values) => ({
    parameters: types.map(({ parameter }) => parameter),
    values,
  })),
);

test('values are encoded and decoded as viem does it', () => {
  fc.assert(
    fc.property(arguments_, ({ parameters, values }) => {
      const encoded = encodeAbiParameters(parameters, values);
      expect(`0x${createAbiEncoder(parameters)(values as never)}`).toBe(encoded);
      const decoded = decodeAbiParameters(parameters, encoded);
      expect(createAbiDecoder(parameters)(encoded)).toEqual(decoded);
      expect(createAbiDecoder(parameters)(`0x${encoded.slice(2).toUpperCase()}`)).toEqual(decoded);
    }),
  );
});

test('arrays of arrays are encoded too', () => {
  const parameters = [{ type: 'uint256[][]' }] as const;
  const values = [[[1n, 2n], [], [3n]]] as const;
  expect(`0x${createAbiEncoder(parameters)(values)}`).toBe(encodeAbiParameters(parameters, values));
});

describe('what is encoded is whole', () => {
  test.each<[string, unknown]>([
    ['uint8', 256],
    ['uint128', 2n ** 128n],
    ['uint256', -1n],
    ['address', '0x1234'],
    ['bytes4', '0x123456'],
    ['bytes', '0x123'],
  ])('%s: %s does not fit', (type, value) => {
    expect(() => createAbiEncoder([{ type }])([value] as never)).toThrow(RangeError);
  });
});

test.each(['int256', 'string', 'uint256[2]', 'uint512', 'bytes33', 'function'])('%s is not known', (type) => {
  expect(() => createAbiEncoder([{ type }])).toThrow(TypeError);
  expect(() => createAbiDecoder([{ type }])).toThrow(TypeError);
});

const word = (value: bigint) => numberToHex(value, { size: 32 }).slice(2);

describe('data that is not of the types is refused', () => {
  test('each byte of it has to be there', () => {
    const parameters = [{ type: 'uint256' }, { type: 'bytes' }, { type: 'address[]' }] as const;
    const address = '0x00000000000000000000000000000000000000A1';
    const data = encodeAbiParameters(parameters, [1n, `0x${'ab'.repeat(32)}`, [address]]);
    const decode = createAbiDecoder(parameters);
    for (let length = 0; length < data.length - 2; length += 2) {
      expect(() => decode(data.slice(0, 2 + length) as Hex), `${length / 2} bytes`).toThrow(RangeError);
    }
  });

  test.each<[string, string, Hex]>([
    ['a flag that is neither', 'bool', `0x${word(2n)}`],
    ['an offset far behind the data', 'bytes', `0x${word(2n ** 200n)}${word(0n)}`],
    ['an offset a little behind the data', 'bytes', `0x${word(64n)}${word(0n)}`],
    ['more bytes than there are', 'bytes', `0x${word(32n)}${word(33n)}${word(0n)}`],
    ['more items than there are', 'uint256[]', `0x${word(32n)}${word(2n ** 32n - 1n)}${word(0n)}`],
    ['what is not hex', 'bytes', `0x${word(32n)}${word(1n)}${'zz'.repeat(32)}`],
    ['half a byte', 'bytes32', `0x${'a'.repeat(63)}`],
  ])('%s', (_, type, data) => {
    expect(() => createAbiDecoder([{ type }])(data)).toThrow(RangeError);
  });

  test('arrays of arrays, whose items could share their bytes, are never read', () => {
    expect(() => createAbiDecoder([{ type: 'uint256[][]' }])).toThrow(TypeError);
    const components = [{ name: 'list', type: 'bytes32[]' }];
    expect(() => createAbiDecoder([{ type: 'tuple[]', components }])).toThrow(TypeError);
  });
});
