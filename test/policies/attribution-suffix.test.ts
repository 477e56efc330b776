import fc from 'fast-check';
import { Attribution } from 'ox/erc8021';
import { expect, test } from 'vitest';
import {
  isAttributionSuffix,
  maxAttributionBytes,
  readAttributionSuffix,
} from '../../core/evm/account-decoders/attribution-suffix.ts';
import { arbitraryAttribution, attributionCode, suffixOf } from '../support/arbitrary/arbitrary-attribution.ts';
import { countOutcomes } from '../support/arbitrary/count-outcomes.ts';

const marker = '8021'.repeat(8);
const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(/[\s_]/g, ''), 'hex');

test('what ox writes for any of the three schemas is an attribution suffix with its codes', () => {
  fc.assert(
    fc.property(arbitraryAttribution, fc.uint8Array({ maxLength: 300 }), ({ attribution, codes }, before) => {
      const suffix = suffixOf(attribution);
      fc.pre(suffix.length <= maxAttributionBytes);
      expect(isAttributionSuffix(suffix)).toBe(true);
      expect(readAttributionSuffix(Buffer.concat([before, suffix]))).toEqual({ bytes: suffix.length, codes });
    }),
  );
});

test('a suffix with a byte more before it, or one less, is not one suffix from the first byte to the last', () => {
  fc.assert(
    fc.property(arbitraryAttribution, fc.uint8Array({ minLength: 1, maxLength: 40 }), ({ attribution }, more) => {
      const suffix = suffixOf(attribution);
      fc.pre(suffix.length <= maxAttributionBytes);
      expect(isAttributionSuffix(Buffer.concat([more, suffix]))).toBe(false);
      expect(isAttributionSuffix(suffix.subarray(1))).toBe(false);
    }),
  );
});

test('only the bytes that an encoder writes for the same content are a suffix', () => {
  const length = fc.nat({ max: 60 });
  const tail = fc.tuple(fc.uint8Array({ maxLength: 60 }), length, fc.nat({ max: 3 })).map(([bytes, codes, schema]) => {
    const lengths = schema === 2 ? [codes >> 8, codes & 0xff] : [codes];
    return Buffer.concat([bytes, Buffer.from([...lengths, schema]), Buffer.from(marker, 'hex')]);
  });
  const outcomes = countOutcomes('no suffix', 'a suffix');
  fc.assert(
    fc.property(fc.oneof(tail, mutated()), (bytes) => {
      const read = readAttributionSuffix(bytes);
      if (read === undefined) return outcomes.note('no suffix');
      outcomes.note('a suffix');
      const suffix = bytes.subarray(bytes.length - read.bytes);
      const attribution = Attribution.fromData(`0x${suffix.toString('hex')}`);
      expect(attribution && suffixOf(attribution).equals(suffix)).toBe(true);
      for (const code of read.codes) expect(code).toMatch(/^[0-9A-Za-z_][0-9A-Za-z_.:/-]*$/);
    }),
    { numRuns: 2_000 },
  );
  outcomes.expectAllSeen();
});

/** A suffix with one byte changed. */
function mutated() {
  return fc
    .tuple(arbitraryAttribution, fc.nat(), fc.integer({ min: 1, max: 255 }))
    .map(([{ attribution }, location, change]) => {
      const bytes = suffixOf(attribution);
      const at = location % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ change;
      return bytes;
    });
}

test('bytes without the marker of ERC-8021 are none, and nothing longer than the bound is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      fc.pre(!Buffer.from(bytes).subarray(-16).equals(Buffer.from(marker, 'hex')));
      expect(readAttributionSuffix(Buffer.from(bytes))).toBeUndefined();
    }),
  );
  const long = suffixOf({ codes: Array.from({ length: 8 }, () => 'a'.repeat(30)) });
  expect(long.length).toBeGreaterThan(maxAttributionBytes);
  expect(readAttributionSuffix(long)).toBeUndefined();
});

// Written out by hand from the layout of the standard.
test.each([
  ['schema 0, one code', `62617365617070 07 00 ${marker}`, ['baseapp']],
  ['schema 0, two codes', `626173656170702c6d6f7270686f 0e 00 ${marker}`, ['baseapp', 'morpho']],
  ['schema 1', `${'cc'.repeat(20)} 2105 02 626173656170702c6d6f7270686f 0e 01 ${marker}`, ['baseapp', 'morpho']],
  ['schema 2', `a1 61 61 67 62617365617070 000b 02 ${marker}`, ['baseapp']],
])('%s is read', (_, hex, codes) => {
  const bytes = bytesOf(hex);
  expect(readAttributionSuffix(Buffer.concat([bytesOf('dddddddd'), bytes]))).toEqual({ bytes: bytes.length, codes });
});

test.each([
  ['no codes', `00 00 ${marker}`],
  ['an empty code between commas', `612c2c62 04 00 ${marker}`],
  ['codes that a spreadsheet would take for a formula', `3d312b31 04 00 ${marker}`],
  ['codes longer than the data', `6162 ff 00 ${marker}`],
  ['a registry without a chain', `${'cc'.repeat(20)} 00 61 01 01 ${marker}`],
  ['a chain id with zeros before it', `${'cc'.repeat(20)} 0001 02 61 01 01 ${marker}`],
  ['a map of CBOR with bytes behind it', `a1 61 61 61 78 00 0006 02 ${marker}`],
  ['a map of CBOR with a key that no one reads', `a2 61 61 61 78 61 7a 01 0008 02 ${marker}`],
  ['a code that is a number', `a1 61 61 07 0004 02 ${marker}`],
  ['a code of a service that is a number', `a2 61 61 61 78 61 73 82 61 79 07 000b 02 ${marker}`],
  ['a code of a service that is a list of one text', `a2 61 61 61 78 61 73 81 81 61 79 000b 02 ${marker}`],
  ['CBOR that is no map', `f6 0001 02 ${marker}`],
  ['lists within lists of CBOR', `${'81'.repeat(150)}01 0097 02 ${marker}`],
  ['a list of CBOR that says it has four billion items', `9affffffff 0005 02 ${marker}`],
  ['a schema that there is not', `61 01 03 ${marker}`],
])('%s make no suffix', (_, hex) => {
  expect(readAttributionSuffix(bytesOf(hex))).toBeUndefined();
});

test('codes are letters, digits and little else', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 20 }), attributionCode, (text, code) => {
      fc.pre(!/^\w[\w.:/,-]*$/.test(text));
      expect(readAttributionSuffix(suffixOf({ appCode: text, walletCode: code }))).toBeUndefined();
    }),
  );
});
