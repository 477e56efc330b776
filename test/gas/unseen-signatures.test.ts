import fc from 'fast-check';
import { concat, type Hex, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { boundsOf, maxLimit } from '../../core/gas/compare-limits.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { unseenSignatureGas } from '../../core/gas/unseen-signatures.ts';

/** Gas that is added for each signature after the first. */
const gasOfSignature = 7_000n;
const recoveryId = fc.constantFrom<Hex>('0x00', '0x01', '0x1b', '0x1c', '0x1f', '0x20');
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((some) => toHex(some));
const signature = fc.tuple(bytes(64), recoveryId).map(concat);
const signatures = (count: number) => fc.array(signature, { minLength: count, maxLength: count }).map(concat);
const ofSafe = '0x000000000000000000000000';

describe('gas of signatures that no simulation sees', () => {
  test.each([1, 2, 3, 12, 21])('of %i signatures is that of all but the first, also behind validity times', (count) => {
    fc.assert(
      fc.property(signatures(count), fc.constantFrom<Hex>('0x', ofSafe, `0x00${ofSafe.slice(2)}`), (list, prefix) => {
        const expected = { ok: true, value: gasOfSignature * BigInt(count - 1) };
        expect(unseenSignatureGas(concat([prefix, list]))).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });

  test('is none for other bytes, such as those of a passkey', () => {
    const others = fc.oneof(
      fc.constant<Hex>('0x'),
      bytes(130)
        .filter((some) => !some.endsWith('1b'))
        .map((some): Hex => `${some.slice(0, -2)}ff` as Hex),
      fc.tuple(signatures(3), bytes(32)).map(concat),
    );
    fc.assert(
      fc.property(others, (some) => {
        expect(unseenSignatureGas(some)).toEqual({ ok: true, value: 0n });
      }),
      { numRuns: 30 },
    );
  });

  test('is refused for more signatures than callers have room for', () => {
    const many: Hex = `0x${`${'11'.repeat(64)}1b`.repeat(22)}`;
    expect(unseenSignatureGas(many)).toMatchObject({
      refusal: { reason: 'LIMIT_EXCEEDED', field: 'signature', details: { asked: '22', max: '21' } },
    });
  });

  test('raises no limit that a caller can have signed, so that claiming signatures gains nothing', () => {
    const limits = {
      callGasLimit: 0n,
      verificationGasLimit: 100_000n,
      preVerificationGas: 0n,
      paymasterVerificationGasLimit: 0n,
      paymasterPostOpGasLimit: 0n,
    };
    const most = (unseenGas: bigint) => {
      const verificationGasLimit = limits.verificationGasLimit + unseenGas;
      const own = { limits: { ...limits, verificationGasLimit }, dataGas: 0n, maxPreVerificationGas: 0n, unseenGas };
      return maxLimit('verificationGasLimit', own, boundsOf({}, gasSchedules.osaka, '0.7'));
    };
    expect(most(20n * gasOfSignature)).toBe(most(0n));
  });
});
