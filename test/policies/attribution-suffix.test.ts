import fc from 'fast-check';
import { Attribution } from 'ox/erc8021';
import { expect, test } from 'vitest';
import { isAttributionSuffix, maxAttributionBytes } from '../../core/evm/abi/attribution-suffix.ts';

const code = fc.stringMatching(/^[a-z0-9_]{1,32}$/);
const codes = fc.array(code, { minLength: 1, maxLength: 3 });
const address = fc.uint8Array({ minLength: 20, maxLength: 20 });
const toHex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const;
const attribution = fc.oneof(
  fc.record({ codes }),
  fc.record({
    codes,
    codeRegistry: fc.record({ address: address.map(toHex), chainId: fc.integer({ min: 1, max: 2 ** 32 }) }),
  }),
  fc.record({ appCode: code, walletCode: code }),
);
const suffixOf = (attributed: Attribution.Attribution) =>
  Buffer.from(Attribution.toDataSuffix(attributed).slice(2), 'hex');

test('what ox writes for any of the three schemas is an attribution suffix', () => {
  fc.assert(
    fc.property(attribution, (attributed) => {
      const suffix = suffixOf(attributed);
      fc.pre(suffix.length <= maxAttributionBytes);
      expect(isAttributionSuffix(suffix)).toBe(true);
    }),
  );
});

test('a suffix with a byte more before it, or one less, is none', () => {
  fc.assert(
    fc.property(attribution, fc.uint8Array({ minLength: 1, maxLength: 40 }), (attributed, more) => {
      const suffix = suffixOf(attributed);
      fc.pre(suffix.length <= maxAttributionBytes);
      expect(isAttributionSuffix(Buffer.concat([more, suffix]))).toBe(false);
      expect(isAttributionSuffix(suffix.subarray(1))).toBe(false);
    }),
  );
});

test('bytes without the marker of ERC-8021 are none, and nothing longer than the bound is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(isAttributionSuffix(Buffer.from(bytes))).toBe(false);
    }),
  );
  const long = suffixOf({ codes: Array.from({ length: 8 }, () => 'a'.repeat(30)) });
  expect(long.length).toBeGreaterThan(maxAttributionBytes);
  expect(isAttributionSuffix(long)).toBe(false);
});
