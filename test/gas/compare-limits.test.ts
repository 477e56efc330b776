import { expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { findExcess, findShortLimits, findUnestimatedExcess, unestimatedMost } from '../../core/gas/compare-limits.ts';

const own: GasLimits = {
  callGasLimit: 1_000_000n,
  verificationGasLimit: 2_000_000n,
  preVerificationGas: 60_000n,
  paymasterVerificationGasLimit: 40_000n,
  paymasterPostOpGasLimit: 30_000n,
};

test.each([
  'verificationGasLimit',
  'paymasterVerificationGasLimit',
  'callGasLimit',
  'paymasterPostOpGasLimit',
] as const)('a %s that is one gas short is found', (field) => {
  expect(findShortLimits(own, own)).toEqual([]);
  expect(findShortLimits({ ...own, [field]: own[field] - 1n }, own)).toEqual([field]);
});

test('short limits are named in the order in which the operation would fail; preVerificationGas is the bundler’s affair', () => {
  const none: GasLimits = {
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    paymasterVerificationGasLimit: 0n,
    paymasterPostOpGasLimit: 0n,
  };
  expect(findShortLimits(none, own)).toEqual([
    'verificationGasLimit',
    'paymasterVerificationGasLimit',
    'callGasLimit',
    'paymasterPostOpGasLimit',
  ]);
});

test('preVerificationGas may be what follows from bound bytes, and twice what a layer 2 charges for data', () => {
  const overEstimates = { limits: 12_500, preVerificationGas: 11_000 };
  const estimate = { limits: own, dataGas: 20_000n, maxPreVerificationGas: 49_000n };
  const max = 49_000n + 40_000n;
  expect(findExcess({ ...own, preVerificationGas: max }, estimate, overEstimates)).toBeUndefined();
  expect(findExcess({ ...own, preVerificationGas: max + 1n }, estimate, overEstimates)).toEqual({
    field: 'preVerificationGas',
    asked: max + 1n,
    max,
  });
});

test('limits without an estimate have fixed bounds, and preVerificationGas that of its bytes', () => {
  const most = { ...unestimatedMost, preVerificationGas: 60_000n };
  expect(findUnestimatedExcess({ ...own, ...most }, most.preVerificationGas)).toBeUndefined();
  for (const field of ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const) {
    const [asked, max] = [most[field] + 1n, most[field]];
    expect(findUnestimatedExcess({ ...own, ...most, [field]: asked }, most.preVerificationGas)).toEqual({
      field,
      asked,
      max,
    });
  }
});
