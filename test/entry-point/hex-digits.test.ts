import fc from 'fast-check';
import { bytesToHex, keccak256, numberToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { addressDigits, keccakDigits, uintDigits } from '../../core/evm/abi/hex-digits.ts';
import { arbitraryUint } from '../support/arbitrary/arbitrary-operation.ts';

describe('uintDigits', () => {
  test('is the number in exactly that many bytes', () => {
    fc.assert(
      fc.property(arbitraryUint(128), (value) => {
        expect(`0x${uintDigits(value, 16)}`).toBe(numberToHex(value, { size: 16 }));
      }),
    );
  });

  test('refuses a number that does not fit, rather than cut it', () => {
    expect(uintDigits(2n ** 48n - 1n, 6)).toBe('ffffffffffff');
    expect(() => uintDigits(2n ** 48n, 6)).toThrow(RangeError);
    expect(() => uintDigits(-1n, 6)).toThrow(RangeError);
    expect(() => uintDigits(-1, 6)).toThrow(RangeError);
  });
});

describe('keccakDigits', () => {
  test('is keccak-256 of the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(`0x${keccakDigits(Buffer.from(bytes).toString('hex'))}`).toBe(keccak256(bytesToHex(bytes)));
      }),
    );
  });

  test.each(['abc', 'zz', '0x12', 'ab cd '])('refuses %s, which is not whole bytes of hex', (digits) => {
    expect(() => keccakDigits(digits)).toThrow(TypeError);
  });
});

test('addressDigits refuses what is not 20 bytes', () => {
  expect(() => addressDigits('0x1234')).toThrow(RangeError);
});
