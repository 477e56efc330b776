import * as fc from 'fast-check';
import { type AbiParameter, erc20Abi, toFunctionSelector, toFunctionSignature } from 'viem';
import { describe, expect, test } from 'vitest';
import { maxAbiBytes } from '../../contract/limits.ts';
import { type AbiFunction, jsonDepth, parseAbi } from '../../core/evm/abi/parse-abi.ts';
import { accepted, refusalOf } from '../support/core/start-management.ts';

const refusal = 'INVALID_FIELD: abi must be a valid JSON ABI';

function parse(items: unknown): readonly AbiFunction[] {
  return accepted(parseAbi(JSON.stringify(items)));
}

function functionOf(...types: unknown[]): unknown {
  return [{ type: 'function', name: 'f', stateMutability: 'nonpayable', inputs: types, outputs: [] }];
}

describe('state-changing functions', () => {
  test('are those of ERC-20 that are not views, with their published selectors', () => {
    expect(parse(erc20Abi)).toEqual([
      { name: 'approve', signature: 'approve(address,uint256)', selector: '0x095ea7b3' },
      { name: 'transfer', signature: 'transfer(address,uint256)', selector: '0xa9059cbb' },
      { name: 'transferFrom', signature: 'transferFrom(address,address,uint256)', selector: '0x23b872dd' },
    ]);
  });

  const mutabilities = [
    [{ stateMutability: 'nonpayable' }, true],
    [{ stateMutability: 'payable' }, true],
    [{ stateMutability: 'view' }, false],
    [{ stateMutability: 'pure' }, false],
    [{ constant: true }, false],
    [{ constant: false }, true],
    [{ constant: false, payable: true }, true],
    [{}, true],
    [{ stateMutability: 'view', constant: false }, false],
    [{ stateMutability: 'payable', constant: true }, true],
  ] as const;

  test.each(mutabilities)('with %j: %j', (fields, changesState) => {
    expect(parse([{ type: 'function', name: 'f', inputs: [], ...fields }])).toHaveLength(changesState ? 1 : 0);
  });

  test('need no type, inputs or outputs to be given', () => {
    expect(parse([{ name: 'f' }])).toMatchObject([{ signature: 'f()' }]);
  });

  test('are not constructors, events, errors, fallback or receive', () => {
    const others = [
      { type: 'constructor', inputs: [{ type: 'address' }], stateMutability: 'payable' },
      { type: 'event', name: 'E', inputs: [{ type: 'address', name: 'a', indexed: true }], anonymous: false },
      { type: 'error', name: 'X', inputs: [] },
      { type: 'fallback', stateMutability: 'payable' },
      { type: 'receive', stateMutability: 'payable' },
    ];
    expect(parse(others)).toEqual([]);
    expect(parse([])).toEqual([]);
  });

  test('may be overloaded', () => {
    const overloads = [{ name: 'f' }, { name: 'f', inputs: [{ type: 'bool' }] }];
    expect(parse(overloads).map(({ signature }) => signature)).toEqual(['f()', 'f(bool)']);
  });
});

describe('signatures', () => {
  const types = [
    [{ type: 'uint' }, 'uint256'],
    [{ type: 'int' }, 'int256'],
    [{ type: 'fixed' }, 'fixed128x18'],
    [{ type: 'ufixed8x80' }, 'ufixed8x80'],
    [{ type: 'function' }, 'function'],
    [{ type: 'bytes32[3][]' }, 'bytes32[3][]'],
    [{ type: 'tuple', components: [] }, '()'],
    [
      { type: 'tuple[]', components: [{ type: 'uint8' }, { type: 'tuple', components: [{ type: 'string' }] }] },
      '(uint8,(string))[]',
    ],
  ] as const;

  test.each(types)('of %j is %s', (input, type) => {
    expect(parse(functionOf(input))[0]?.signature).toBe(`f(${type})`);
  });

  const elementary = fc.constantFrom('address', 'bool', 'string', 'bytes', 'bytes1', 'bytes32', 'uint8', 'int256');
  const { parameter } = fc.letrec<{ parameter: AbiParameter }>((tie) => ({
    parameter: fc.oneof(
      { depthSize: 'small' },
      fc
        .record({ type: elementary, dimensions: fc.constantFrom('', '[]', '[2]', '[][7]') })
        .map(({ type, dimensions }): AbiParameter => ({ type: `${type}${dimensions}` })),
      fc.array(tie('parameter'), { maxLength: 3 }).map((components): AbiParameter => ({ type: 'tuple[]', components })),
    ),
  }));

  test('and selectors are those that viem computes', () => {
    fc.assert(
      fc.property(fc.array(parameter, { maxLength: 4 }), (inputs) => {
        const item = { type: 'function', name: 'f', stateMutability: 'payable', inputs, outputs: inputs } as const;
        const signature = toFunctionSignature(item);
        expect(parse([item])).toEqual([{ name: 'f', signature, selector: toFunctionSelector(signature) }]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('not an ABI', () => {
  const texts = [
    '',
    ' ',
    'null',
    '{}',
    '"[]"',
    '[',
    '[]]',
    '[1]',
    '[null]',
    '[[]]',
    '[{"name":"f"},]',
    "[{'name':'f'}]",
  ];
  test.each(texts)('%j', (text) => expect(refusalOf(parseAbi(text))).toBe(refusal));

  const items = [
    {},
    { type: 'function' },
    { type: 'function', name: '' },
    { type: 'function', name: 'a b' },
    { type: 'function', name: '1a' },
    { type: 'function', name: 'f(uint256)' },
    { type: 'function', name: 7 },
    { type: 'Function', name: 'f' },
    { type: null, name: 'f' },
    { name: 'f', inputs: null },
    { name: 'f', outputs: null },
    { name: 'f', inputs: {} },
    { name: 'f', inputs: ['address'] },
    { name: 'f', outputs: [{ type: 'word' }] },
    { name: 'f', stateMutability: 'free' },
    { name: 'f', stateMutability: true },
    { name: 'f', constant: 'yes' },
    { name: 'f', payable: 1 },
    { type: 'event', name: 'E', inputs: [{ type: 'nothing' }] },
    { type: 'event', inputs: [] },
    { type: 'error', name: '!', inputs: [] },
    { type: 'constructor', inputs: [{}] },
    { type: 'modifier', name: 'm' },
  ];
  test.each(items)('an item %j', (item) => expect(refusalOf(parseAbi(JSON.stringify([item])))).toBe(refusal));

  const types = [
    ...['', 'word', 'uint7', 'uint0', 'uint264', 'uint08', 'int512', 'bytes0', 'bytes33', 'byte', 'Address'],
    ...['address ', 'uint256[', 'uint256]', 'uint256[]x', 'uint256[-1]', 'uint256[0]', 'uint256[01]', '[]'],
    ...['fixed128', 'fixed8x0', 'fixed8x81', 'fixed7x8', 'tuple', 'tuple[]', '(uint256)', 'mapping(address => uint)'],
    ...['address payable', 'Lib.Data storage', `uint256${'[]'.repeat(100)}`, null, 1, {}, ['uint256']],
  ];
  test.each(types)('a parameter of type %j', (type) => {
    expect(refusalOf(parseAbi(JSON.stringify(functionOf({ type }))))).toBe(refusal);
  });

  test('a parameter whose name is no text, or components that are no parameters', () => {
    for (const parameter of [
      { type: 'bool', name: 1 },
      { type: 'tuple', components: {} },
      { type: 'tuple', components: [{ type: 'x' }] },
    ]) {
      expect(refusalOf(parseAbi(JSON.stringify(functionOf(parameter))))).toBe(refusal);
    }
  });

  test('two functions that share a selector, and it says which', () => {
    // 0x42966c68 is the selector of both.
    const burn = { name: 'burn', inputs: [{ type: 'uint256' }] };
    const twin = { name: 'collate_propagate_storage', inputs: [{ type: 'bytes16' }], stateMutability: 'view' };
    const result = parseAbi(JSON.stringify([burn, twin]));
    expect(refusalOf(result)).toBe(refusal);
    expect(result).toMatchObject({ refusal: { details: { item: '1', sharedSelector: '0x42966c68' } } });
    expect(refusalOf(parseAbi(JSON.stringify([burn, burn])))).toBe(refusal);
  });

  test('2,001 items; 2,000 are one', () => {
    const item = { type: 'receive' };
    expect(parse(Array.from({ length: 2_000 }, () => item))).toEqual([]);
    expect(refusalOf(parseAbi(JSON.stringify(Array.from({ length: 2_001 }, () => item))))).toBe(refusal);
  });

  test('more than 512 KiB; exactly 512 KiB is one', () => {
    const padded = (length: number) => `[${' '.repeat(length - 2)}]`;
    expect(accepted(parseAbi(padded(maxAbiBytes)))).toEqual([]);
    expect(refusalOf(parseAbi(padded(maxAbiBytes + 1)))).toBe(refusal);
    const bytes = `[{"name":"f","note":"${'é'.repeat(maxAbiBytes / 2)}"}]`;
    expect(bytes.length).toBeLessThan(maxAbiBytes);
    expect(refusalOf(parseAbi(bytes)), 'counted in bytes, not characters').toBe(refusal);
  });
});

describe('nesting', () => {
  /** An ABI of the given depth: array, item, inputs, then two levels for each tuple. */
  function nested(tuples: number): string {
    let parameter: unknown = { type: 'bool' };
    for (let index = 0; index < tuples; index++) parameter = { type: 'tuple', components: [parameter] };
    return JSON.stringify(functionOf(parameter));
  }

  test('of 32 levels is read, of more refused', () => {
    expect(jsonDepth(nested(14), 1_000)).toBe(32);
    expect(accepted(parseAbi(nested(14)))).toHaveLength(1);
    expect(refusalOf(parseAbi(nested(15)))).toBe(refusal);
  });

  test.each(['[', '{"a":', '[{"a":'])('of half a mebibyte of %j overflows nothing', (part) => {
    expect(refusalOf(parseAbi(part.repeat(maxAbiBytes / part.length)))).toBe(refusal);
  });

  test('is not counted inside of strings', () => {
    expect(jsonDepth(String.raw`["[[[[", "\"[[[", "\\", {"{{{": 1}]`, 100)).toBe(2);
  });

  test('is told as parsing tells it', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(jsonDepth(text, 1_000)).toBe(depthOf(JSON.parse(text)));
      }),
    );
  });
});
