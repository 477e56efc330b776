import { encodeAbiParameters, type Hex, size } from 'viem';
import { describe, expect, test } from 'vitest';
import { createCalldataWalker } from '../../core/evm/account-decoders/calldata-walker.ts';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import {
  readBatchOfTuples,
  readBatchWithOptionalValues,
  readBatchWithoutValues,
  readBatchWithValues,
} from '../../core/evm/account-decoders/read-call.ts';

const word = (value: number | bigint) => value.toString(16).padStart(64, '0');
const words = (count: number, value: number | bigint) => word(value).repeat(count);

/** `n` list elements in `bytes[]` that all point at one element of `length` bytes: 32 bytes each for `length` read. */
function sharedElements(n: number, length: number): string {
  return word(n) + words(n, 32 * n) + word(length) + 'ff'.repeat(Math.ceil(length / 32) * 32);
}

/** Arguments of `(address[], uint256[], bytes[])` with `n` addresses, values and the given data list. */
function threeLists(n: number, data: string): string {
  const listBytes = 32 * (n + 1);
  const heads = word(96) + word(96 + listBytes) + word(96 + 2 * listBytes);
  return heads + word(n) + words(n, 0xab) + word(n) + words(n, 0) + data;
}

function twoLists(n: number, data: string): string {
  return word(64) + word(64 + 32 * (n + 1)) + word(n) + words(n, 0xab) + data;
}

const selectors = {
  biconomy: '0x47e1da2a',
  simple06: '0x18dfb3c7',
  simple08: '0x34fcd5be',
} as const;

const bombs = [40, 64, 128].flatMap((kib) => {
  const half = kib * 512;
  const n = Math.floor(half / 32 / 3);
  return [
    { name: `${kib} KiB, all elements one`, kind: 'biconomy', args: threeLists(n, sharedElements(n, half - 64)) },
    {
      name: `${kib} KiB, 100 elements, all one`,
      kind: 'biconomy',
      args: threeLists(100, sharedElements(100, kib * 1024 - 9900)),
    },
    { name: `${kib} KiB, all lists one list of zeros`, kind: 'biconomy', args: words(3, 96) + words(kib * 32, 0) },
    { name: `${kib} KiB, a list of 2^32 - 1`, kind: 'biconomy', args: word(96) + words(kib * 32, 2n ** 32n - 1n) },
    { name: `${kib} KiB, all elements one`, kind: 'simple06', args: twoLists(n, sharedElements(n, half - 64)) },
    { name: `${kib} KiB, tuples at one offset`, kind: 'simple08', args: word(32) + sharedElements(n, half) },
    { name: `${kib} KiB, every word an offset to itself`, kind: 'simple08', args: words(kib * 32, 32) },
  ] as const;
});

const readers = {
  biconomy: [readBatchWithValues, readBatchWithOptionalValues],
  simple06: [readBatchWithoutValues],
  simple08: [readBatchOfTuples],
};
const accounts = {
  biconomy: ['BICONOMY', '2.0.0', '0.6'],
  simple06: ['INFINITISM', '1.0.0', '0.6'],
  simple08: ['INFINITISM', '1.0.0', '0.8'],
} as const;

describe.each(bombs)('$kind bomb: $name', ({ kind, args }) => {
  const callData: Hex = `${selectors[kind]}${args}`;
  const [account, version, entryPointVersion] = accounts[kind];

  test('is refused', () => {
    expect(size(callData)).toBeGreaterThan(20_000);
    expect(findAccountDecoder(account, version)?.decode(callData, entryPointVersion).understood).toBe(false);
  });

  test('is refused without looking at any word twice, even where its length would be allowed', () => {
    for (const read of readers[kind]) {
      const data = Buffer.from(args, 'hex');
      const walker = createCalldataWalker(data);
      expect(() => read(walker)).toThrow();
      expect(walker.wordsRead()).toBeLessThanOrEqual(data.length / 32);
      // Three lists of 100 and their heads: nothing makes it read more, however long the data.
      expect(walker.wordsRead()).toBeLessThanOrEqual(3 + 3 * 101 + 2);
    }
  });
});

test('reading the largest batch there is takes no more than six words a call', () => {
  const calls = Array.from(
    { length: 100 },
    () => ({ target: `0x${'ab'.repeat(20)}`, value: 1n, data: `0x${'cd'.repeat(500)}` }) as const,
  );
  const parameters = [
    {
      type: 'tuple[]',
      components: [
        { name: 'target', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'data', type: 'bytes' },
      ],
    },
  ] as const;
  const walker = createCalldataWalker(Buffer.from(encodeAbiParameters(parameters, [calls]).slice(2), 'hex'));
  expect(readBatchOfTuples(walker)).toHaveLength(100);
  expect(walker.wordsRead()).toBeLessThanOrEqual(2 + 6 * 100);
});
