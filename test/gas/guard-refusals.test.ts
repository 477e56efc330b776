import { describe, expect, test } from 'vitest';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import {
  refuseExcess,
  refuseShortCall,
  refuseShortLimit,
  refuseUnestimatedExcess,
} from '../../core/gas/compare-limits.ts';

const own: GasLimits = {
  callGasLimit: 101n,
  verificationGasLimit: 102n,
  preVerificationGas: 103n,
  paymasterVerificationGasLimit: 104n,
  paymasterPostOpGasLimit: 105n,
};
const given: GasLimits = {
  callGasLimit: 51n,
  verificationGasLimit: 52n,
  preVerificationGas: 53n,
  paymasterVerificationGasLimit: 54n,
  paymasterPostOpGasLimit: 55n,
};

describe('a limit that is refused as too high', () => {
  test.each([
    ['callGasLimit', 101, 'maxGasOverEstimate'],
    ['verificationGasLimit', 102, 'maxGasOverEstimate'],
    ['preVerificationGas', 103, 'maxPreVerificationGasOverEstimate'],
  ] as const)('is named with what is needed and the setting that bounds it: %s', (field, needed, limit) => {
    expect(refuseExcess({ field, asked: 900n, max: 800n }, own)).toEqual({
      ok: false,
      refusal: {
        reason: 'LIMIT_EXCEEDED',
        limitKind: 'GAS_LIMIT',
        message: `${field} is 900 gas. The operation needs about ${needed}, and at most 800 is signed for it.`,
        field,
        details: { limit, asked: '900', max: '800' },
      },
    });
  });

  test('before an estimate is possible is named with that', () => {
    expect(refuseUnestimatedExcess({ field: 'callGasLimit', asked: 900n, max: 800n })).toEqual({
      ok: false,
      refusal: {
        reason: 'LIMIT_EXCEEDED',
        limitKind: 'GAS_LIMIT',
        message:
          'callGasLimit is 900 gas. The operation cannot be estimated yet, and until then at most 800 is signed.',
        field: 'callGasLimit',
        details: { limit: 'unestimatedGas', asked: '900', max: '800' },
      },
    });
  });
});

describe('a limit that is refused as too low', () => {
  const failed: Refusal = {
    reason: 'ESTIMATION_FAILED',
    message: 'Out of gas.',
    field: 'sender',
    details: { aaCode: 'AA40' },
  };

  test.each([
    ['verificationGasLimit', 52, 102],
    ['paymasterVerificationGasLimit', 54, 104],
    ['callGasLimit', 51, 101],
    ['paymasterPostOpGasLimit', 55, 105],
  ] as const)('is named with what is needed, next to what the EntryPoint said: %s', (field, asked, needed) => {
    expect(refuseShortLimit(failed, field, given, own)).toEqual({
      ok: false,
      refusal: {
        reason: 'ESTIMATION_FAILED',
        message: `${field} is ${asked} gas, with which the operation fails. It needs about ${needed}.`,
        field,
        details: { aaCode: 'AA40', asked: `${asked}`, needed: `${needed}` },
      },
    });
  });

  test('is not blamed when the chain could not be asked', () => {
    const refusal: Refusal = { reason: 'CHAIN_UNAVAILABLE', message: 'The node is away.' };
    expect(refuseShortLimit(refusal, 'callGasLimit', given, own)).toEqual({ ok: false, refusal });
  });

  test('of the call is named with its revert, where it has one', () => {
    const message = 'callGasLimit is 51 gas, with which the operation fails. It needs about 101.';
    const refusal = { reason: 'ESTIMATION_FAILED', message, field: 'callGasLimit' };
    const amounts = { asked: '51', needed: '101' };
    expect(refuseShortCall({ success: false, revert: 'none' }, given, own)).toEqual({
      ok: false,
      refusal: { ...refusal, details: amounts },
    });
    expect(refuseShortCall({ success: false, revert: 'Panic(0x1)' }, given, own)).toEqual({
      ok: false,
      refusal: { ...refusal, details: { ...amounts, revert: 'Panic(0x1)' } },
    });
  });
});
