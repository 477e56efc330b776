import fc from 'fast-check';
import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { type AccountMethod, accountMethods, type FullCall, seenAs } from '../support/accounts/account-kinds.ts';
import { countOutcomes } from '../support/arbitrary/count-outcomes.ts';
import { arbitraryCall } from './arbitrary-call.ts';

const selectorBytes = 4;
const wordBytes = 32;

type Mutation = (data: Buffer) => Buffer;

/** A position in the data, as a part of the whole, so that it fits any length. */
const location = fc.double({ min: 0, max: 0.999_999, noNaN: true });
const wordAt = (data: Buffer, part: number) =>
  selectorBytes + Math.floor((part * (data.length - selectorBytes)) / wordBytes) * wordBytes;

function writeWord(data: Buffer, at: number, value: bigint): Buffer {
  const copy = Buffer.from(data);
  copy.write(value.toString(16).padStart(64, '0').slice(-64), at, 'hex');
  return copy;
}

const bitFlip: fc.Arbitrary<Mutation> = fc
  .tuple(location, fc.integer({ min: 0, max: 7 }))
  .map(([part, bit]) => (data) => {
    const copy = Buffer.from(data);
    const at = Math.floor(part * data.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << bit);
    return copy;
  });
/** Low bytes of words: where offsets, lengths and counts have theirs. */
const lowByte: fc.Arbitrary<Mutation> = fc
  .tuple(location, fc.integer({ min: 0, max: 255 }))
  .map(([part, value]) => (data) => {
    const copy = Buffer.from(data);
    copy[wordAt(data, part) + wordBytes - 1] = value;
    return copy;
  });
/** Bytes that are zero in an address or a length. */
const highByte: fc.Arbitrary<Mutation> = fc
  .tuple(location, fc.integer({ min: 0, max: 27 }))
  .map(([part, at]) => (data) => {
    const copy = Buffer.from(data);
    copy[wordAt(data, part) + at] = 1;
    return copy;
  });
const hugeWord: fc.Arbitrary<Mutation> = fc
  .tuple(
    location,
    fc.constantFrom(2n ** 256n - 1n, 2n ** 255n, 2n ** 64n, 2n ** 32n, 2n ** 32n - 1n, 2n ** 31n, 2n ** 16n),
  )
  .map(
    ([part, value]) =>
      (data) =>
        writeWord(data, wordAt(data, part), value),
  );
/** One word becomes a copy of another: offsets that share an element. */
const sharedWord: fc.Arbitrary<Mutation> = fc.tuple(location, location).map(([from, to]) => (data) => {
  const copy = Buffer.from(data);
  data.copy(copy, wordAt(data, to), wordAt(data, from), wordAt(data, from) + wordBytes);
  return copy;
});
/** Everything behind a position moves a word on, as if there were a gap. */
const gap: fc.Arbitrary<Mutation> = location.map((part) => (data) => {
  const at = wordAt(data, part);
  return Buffer.concat([data.subarray(0, at), Buffer.alloc(wordBytes), data.subarray(at)]);
});
const cutOut: fc.Arbitrary<Mutation> = location.map((part) => (data) => {
  const at = wordAt(data, part);
  return Buffer.concat([data.subarray(0, at), data.subarray(at + wordBytes)]);
});
const truncated: fc.Arbitrary<Mutation> = location.map(
  (part) => (data) => data.subarray(0, selectorBytes + Math.floor(part * (data.length - selectorBytes))),
);
const appended: fc.Arbitrary<Mutation> = fc
  .uint8Array({ minLength: 1, maxLength: 70 })
  .map((more) => (data) => Buffer.concat([data, more]));

const mutation = fc.oneof(bitFlip, lowByte, highByte, hugeWord, sharedWord, gap, cutOut, truncated, appended);

/** What a strict decoder must answer: viem's reading where it encodes back to the same bytes, nothing anywhere else. */
function expected(kind: AccountMethod, callData: Hex): readonly FullCall[] | undefined {
  const calls = kind.decodeCanonical(callData);
  return calls === undefined || calls.length > 100 ? undefined : calls;
}

describe.each(accountMethods)('$account $version $method on EntryPoint $entryPointVersion', (kind) => {
  const decoder = findAccountDecoder(kind.account, kind.version);
  const calls = fc.array(arbitraryCall(kind), { minLength: 1, maxLength: Math.min(kind.maxCalls, 4) });

  test('damaged call data is refused, or still canonical and read as exactly the calls it holds', () => {
    const outcomes = countOutcomes('another method', 'refused', 'read');
    fc.assert(
      fc.property(calls, fc.array(mutation, { minLength: 1, maxLength: 3 }), (made, mutations) => {
        const whole = Buffer.from(kind.encode(made).slice(2), 'hex');
        const damaged = mutations.reduce<Buffer>((data, mutate) => mutate(data), whole);
        const callData: Hex = `0x${damaged.toString('hex')}`;
        // Another method of the same account is another test's business.
        if (callData.slice(0, 10) !== kind.encode(made).slice(0, 10)) return outcomes.note('another method');
        const decoded = decoder?.decode(callData, kind.entryPointVersion);
        const meant = expected(kind, callData);
        outcomes.note(meant === undefined ? 'refused' : 'read');
        if (meant === undefined) expect(decoded?.understood).toBe(false);
        else expect(decoded).toEqual({ understood: true, calls: meant.map(seenAs) });
      }),
      { numRuns: 300 },
    );
    outcomes.expectAllSeen();
  });

  test('bytes after the calls are refused', () => {
    fc.assert(
      fc.property(calls, fc.uint8Array({ minLength: 1, maxLength: 64 }), (made, more) => {
        const callData: Hex = `${kind.encode(made)}${Buffer.from(more).toString('hex')}`;
        expect(decoder?.decode(callData, kind.entryPointVersion).understood).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('call data that ends anywhere before its end is refused', () => {
    const [made] = fc.sample(calls, 1);
    if (made === undefined) throw new Error('no sample');
    const callData = kind.encode(made);
    for (let end = 2; end < callData.length; end += 2) {
      expect(decoder?.decode(callData.slice(0, end) as Hex, kind.entryPointVersion).understood, `${end}`).toBe(false);
    }
  });
});
