import fc from 'fast-check';
import { concat, type Hex, size, slice, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { maxAttributionBytes } from '../../core/evm/account-decoders/attribution-suffix.ts';
import { accountDecoders, detectAccount, findAccountDecoder } from '../../core/evm/account-decoders/find-decoder.ts';
import { type AccountMethod, accountMethods, seenAs } from '../support/accounts/account-kinds.ts';
import { arbitraryAttribution, suffixOf } from '../support/arbitrary/arbitrary-attribution.ts';
import { arbitraryCall } from './arbitrary-call.ts';

const attributed = arbitraryAttribution
  .map(({ attribution, codes }) => ({ suffix: toHex(suffixOf(attribution)), codes }))
  .filter(({ suffix }) => size(suffix) <= maxAttributionBytes);

function decode({ account, version, entryPointVersion }: AccountMethod, callData: Hex) {
  const decoder = findAccountDecoder(account, version);
  if (decoder === undefined) throw new Error(`no decoder for ${account} ${version}`);
  return decoder.decode(callData, entryPointVersion);
}

describe.each(accountMethods)('$account $version $method on EntryPoint $entryPointVersion', (kind) => {
  const calls = fc.array(arbitraryCall(kind), { minLength: 1, maxLength: Math.min(kind.maxCalls, 4) });

  test('reads the same calls before one suffix, with the codes of the suffix', () => {
    fc.assert(
      fc.property(calls, attributed, (made, { suffix, codes }) => {
        const callData = concat([kind.encode(made), suffix]);
        const expected = { understood: true, calls: made.map(seenAs), attribution: { bytes: size(suffix), codes } };
        expect(decode(kind, callData)).toEqual(expected);
        expect(detectAccount(accountDecoders, callData, kind.entryPointVersion)).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });

  test('reads nothing before two suffixes, or with bytes before the suffix or behind it', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((some) => toHex(some));
    fc.assert(
      fc.property(calls, attributed, attributed, bytes, (made, one, other, more) => {
        const encoded = kind.encode(made);
        for (const behind of [
          [one.suffix, other.suffix],
          [more, one.suffix],
          [one.suffix, more],
        ]) {
          expect(decode(kind, concat([encoded, ...behind])).understood).toBe(false);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('leaves a suffix at the end of a call’s data to the call', () => {
    fc.assert(
      fc.property(arbitraryCall(kind), attributed, (call, { suffix }) => {
        const data = concat(['0x12345678', call.data, suffix]);
        const [own] = [{ ...call, data }].map(seenAs);
        const decoded = decode(kind, kind.encode([{ ...call, data }]));
        expect(decoded).toEqual({ understood: true, calls: [own] });
      }),
      { numRuns: 15 },
    );
  });

  test('reads nothing by a suffix that it does not read without it', () => {
    const cut = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(calls, cut, attributed, (made, part, { suffix }) => {
        const encoded = kind.encode(made);
        const kept = 4 + Math.floor((size(encoded) - 4) * part);
        const head = kept === size(encoded) ? encoded : slice(encoded, 0, kept);
        const { understood } = decode(kind, head);
        expect(decode(kind, concat([head, suffix])).understood).toBe(understood);
      }),
      { numRuns: 30 },
    );
  });
});
