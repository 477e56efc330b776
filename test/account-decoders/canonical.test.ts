import fc from 'fast-check';
import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { type AccountMethod, accountMethods, type FullCall, seenAs } from '../support/accounts/account-kinds.ts';
import { oneOfEach } from '../support/run/rows-of-run.ts';
import { arbitraryCall } from './arbitrary-call.ts';

function decode({ account, version, entryPointVersion }: AccountMethod, callData: Hex) {
  const decoder = findAccountDecoder(account, version);
  if (decoder === undefined) throw new Error(`no decoder for ${account} ${version}`);
  return decoder.decode(callData, entryPointVersion);
}

const target = `0x${'ab'.repeat(20)}` as const;

describe.each(oneOfEach(accountMethods, ({ account }) => account))(
  '$account $version $method on EntryPoint $entryPointVersion',
  (kind) => {
    const calls = fc.array(arbitraryCall(kind), { minLength: 1, maxLength: Math.min(kind.maxCalls, 8) });

    test('every call that is encoded in the standard way is read', () => {
      fc.assert(
        fc.property(calls, (made) => {
          expect(decode(kind, kind.encode(made))).toEqual({ understood: true, calls: made.map(seenAs) });
        }),
      );
    });

    test('upper-case digits mean the same', () => {
      fc.assert(
        fc.property(calls, (made) => {
          const callData = kind.encode(made);
          expect(decode(kind, `0x${callData.slice(2).toUpperCase()}`)).toEqual(decode(kind, callData));
        }),
        { numRuns: 10 },
      );
    });

    test.each(['0x11', '0x1122', '0x112233'] as const)('a call with %s, too short for a method, is read', (data) => {
      const decoded = decode(kind, kind.encode([{ target, value: 0n, data }]));
      expect(decoded).toEqual({ understood: true, calls: [{ target, value: 0n, data }] });
    });

    test('it is not understood for the other EntryPoints unless they have the method too', () => {
      const callData = kind.encode([{ target, value: 0n, data: '0x' }]);
      for (const entryPointVersion of ['0.6', '0.7', '0.8'] as const) {
        const twin = accountMethods.some(
          (other) =>
            other.account === kind.account &&
            other.version === kind.version &&
            other.entryPointVersion === entryPointVersion &&
            other.encode([{ target, value: 0n, data: '0x' }]).slice(0, 10) === callData.slice(0, 10),
        );
        expect(decode({ ...kind, entryPointVersion }, callData).understood, entryPointVersion).toBe(twin);
      }
    });
  },
);

describe.each(accountMethods.filter(({ maxCalls }) => maxCalls > 1))(
  'batches of $account $version $method, $entryPointVersion',
  (kind) => {
    const call: FullCall = { target, value: 0n, data: '0x12345678' };

    test('100 calls are read, 101 are not', () => {
      const hundred = Array.from({ length: 100 }, () => call);
      expect(decode(kind, kind.encode(hundred))).toEqual({ understood: true, calls: hundred.map(seenAs) });
      expect(decode(kind, kind.encode([...hundred, call]))).toMatchObject({
        understood: false,
        why: 'there are more than 100 calls',
      });
    });

    test('an empty batch is not understood', () => {
      expect(decode(kind, kind.encode([]))).toMatchObject({ understood: false, why: 'the batch is empty' });
    });

    test('64 KiB are read, a word more is not', () => {
      const overhead = (kind.encode([{ ...call, data: '0x' }]).length - 2) / 2;
      const longest: Hex = `0x${'cd'.repeat(Math.floor((65_536 - overhead) / 32) * 32)}`;
      expect(decode(kind, kind.encode([{ ...call, data: longest }])).understood).toBe(true);
      const longer = kind.encode([{ ...call, data: `${longest}${'cd'.repeat(32)}` }]);
      expect(decode(kind, longer)).toMatchObject({ understood: false, why: 'it is longer than 65536 bytes' });
    });
  },
);

test('SimpleAccount 0.7 takes an empty list of values as no value, Biconomy does not', () => {
  const kinds = accountMethods.filter(({ method }) => method === 'executeBatch');
  const calls = [{ target, value: 0n, data: '0x12345678' as const }];
  const withoutValues = (kind: AccountMethod) => emptyValues(kind.encode(calls));
  const simple = kinds.find(
    ({ account, entryPointVersion }) => account === 'INFINITISM' && entryPointVersion === '0.7',
  );
  const biconomy = kinds.find(({ account }) => account === 'BICONOMY');
  if (simple === undefined || biconomy === undefined) throw new Error('missing methods');
  expect(decode(simple, withoutValues(simple))).toEqual({ understood: true, calls: calls.map(seenAs) });
  expect(decode(biconomy, withoutValues(biconomy)).understood).toBe(false);
});

/** `executeBatch([target], [0], [data])` as `executeBatch([target], [], [data])`. */
function emptyValues(callData: Hex): Hex {
  const words = callData.slice(10).match(/.{64}/g) ?? [];
  const word = (value: number) => value.toString(16).padStart(64, '0');
  // offsets, targets (2 words), values (2 words, become 1), data
  const shorter = [word(0x60), word(0xa0), word(0xc0), ...words.slice(3, 5), word(0), ...words.slice(7)];
  return `${callData.slice(0, 10)}${shorter.join('')}` as Hex;
}

test.each([
  ['0x', 'it is empty'],
  ['0x12', 'it is too short to name a method'],
  ['0x12345678', 'it begins with a method that is not known to make calls'],
  ['0x8dd7712f', 'it begins with a method that is not known to make calls'],
  ['0xb61d27f6', 'the call data ends too early'],
  ['0xb61d27f60', 'it is not hex'],
  [`0xb61d27f6${'zz'.repeat(128)}`, 'it is not hex'],
] as const)('%s is not understood', (callData, why) => {
  expect(findAccountDecoder('INFINITISM', '1.0.0')?.decode(callData, '0.7')).toMatchObject({ understood: false, why });
});

const word = (value: bigint) => value.toString(16).padStart(64, '0');

test.each([
  ['an offset beyond 32 bits', [1n, 0n, 2n ** 32n, 0n], 'an offset or length is impossibly large'],
  ['a length beyond 32 bits', [1n, 0n, 96n, 2n ** 32n], 'an offset or length is impossibly large'],
  ['an offset to elsewhere', [1n, 0n, 128n, 0n], 'the call data is not encoded in the standard way'],
  ['a target beyond 20 bytes', [2n ** 160n, 0n, 96n, 0n], 'an address has more than 20 bytes'],
  ['padding that is not zero', [1n, 0n, 96n, 4n, 1n], 'padding is not zero'],
  ['data that ends early', [1n, 0n, 96n, 33n, 0n], 'the call data ends too early'],
  ['a word more', [1n, 0n, 96n, 0n, 0n], 'more data follows than the calls need'],
])('%s is not understood, and said to be what is wrong', (_, words, why) => {
  const callData: Hex = `0xb61d27f6${words.map(word).join('')}`;
  expect(findAccountDecoder('INFINITISM', '1.0.0')?.decode(callData, '0.7')).toMatchObject({ understood: false, why });
});

test('call data of 64 KiB is looked at, a byte more is not', () => {
  const why = (bytes: number) => {
    const decoded = findAccountDecoder('INFINITISM', '1.0.0')?.decode(`0x${'12'.repeat(bytes)}`, '0.7');
    return decoded?.understood === false ? decoded.why : 'understood';
  };
  expect(why(65_536)).toBe('it begins with a method that is not known to make calls');
  expect(why(65_537)).toBe('it is longer than 65536 bytes');
});

describe('which decoder is found', () => {
  test('the names of the interface, in their case', () => {
    expect(findAccountDecoder('BICONOMY', '2.0.0')).toMatchObject({ name: 'BICONOMY', version: '2.0.0' });
    expect(findAccountDecoder('BICONOMY', '1.0.0')).toMatchObject({ name: 'BICONOMY', version: '1.0.0' });
    expect(findAccountDecoder('INFINITISM', '1.0.0')).toMatchObject({ name: 'INFINITISM', version: '1.0.0' });
    expect(findAccountDecoder('biconomy', '2.0.0')).toBeUndefined();
    expect(findAccountDecoder('BICONOMY', '2.0')).toBeUndefined();
    expect(findAccountDecoder('BICONOMY', '')).toBeUndefined();
  });

  test('a spelling that documentation of the interface has', () => {
    expect(findAccountDecoder('INFINITSM', '1.0.0')).toBe(findAccountDecoder('INFINITISM', '1.0.0'));
  });

  test.each(['constructor', '__proto__', 'toString'])('%s is no account', (name) => {
    expect(findAccountDecoder(name, '1.0.0')).toBeUndefined();
  });
});
