import fc from 'fast-check';
import { encodeAbiParameters, parseAbiItem, size } from 'viem';
import { expect, test } from 'vitest';
import { fixedArgumentBytes } from '../../core/evm/abi/resolve-whitelist.ts';

test.each([
  ['increment()', 0],
  ['transfer(address,uint256)', 64],
  ['mint((address,(uint8,bool)[2]),bytes4)', 192],
  ['set(uint256[3][2])', 192],
  ['approve(address,bytes)', undefined],
  ['name(string)', undefined],
  ['many(uint256[])', undefined],
  ['deep((address,(bytes32,uint256[]))[2])', undefined],
])('arguments of %s always take %s bytes', (signature, bytes) => {
  expect(fixedArgumentBytes(signature)).toBe(bytes);
});

const word = fc.constantFrom('address', 'bool', 'uint256', 'bytes32', 'bytes4', 'int8');
const { type } = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.tuple(tie('type'), fc.integer({ min: 1, max: 3 })).map(([element, length]) => `${element}[${length}]`),
    fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((types) => `(${types.join(',')})`),
  ),
}));

type Input = { type: string; components?: readonly Input[] };

/** Some value of the type. */
function someValue({ type, components = [] }: Input): unknown {
  const array = /^(.*)\[(\d+)\]$/.exec(type);
  if (array !== null) {
    const element = { type: array[1] ?? '', components };
    return Array.from({ length: Number(array[2]) }, () => someValue(element));
  }
  if (type === 'tuple') return components.map(someValue);
  if (type === 'bool') return true;
  if (type === 'address') return `0x${'00'.repeat(20)}`;
  if (type === 'int8') return 1;
  return type.startsWith('bytes') ? `0x${'00'.repeat(Number(type.slice(5)))}` : 1n;
}

test('viem encodes arguments of fixed size in as many bytes', () => {
  fc.assert(
    fc.property(fc.array(type, { maxLength: 4 }), (types) => {
      const signature = `method(${types.join(',')})`;
      const item = parseAbiItem(`function ${signature}`) as unknown as { inputs: readonly Input[] };
      const encoded = encodeAbiParameters(item.inputs as never, item.inputs.map(someValue) as never);
      expect(fixedArgumentBytes(signature)).toBe(size(encoded));
    }),
    { numRuns: 200 },
  );
});
