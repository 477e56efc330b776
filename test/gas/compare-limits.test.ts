import { expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import {
  defaultOverEstimates,
  findExcess,
  findShortLimits,
  findUnestimatedExcess,
  overEstimatesOf,
  unestimatedMost,
} from '../../core/gas/compare-limits.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';

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
  const overEstimates = { ...defaultOverEstimates, preVerificationGas: 11_000 };
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

test('a verification limit may be a quarter and 150,000 gas above the estimate, and 2,000,000 where bundlers are named', () => {
  const estimate = { limits: own, dataGas: 0n, maxPreVerificationGas: own.preVerificationGas };
  const findAt = (verificationGasLimit: bigint, config: { bundlers?: readonly `0x${string}`[] }) =>
    findExcess({ ...own, verificationGasLimit }, estimate, overEstimatesOf(config));
  expect(findAt(2_650_000n, {})).toBeUndefined();
  expect(findAt(2_650_001n, {})).toMatchObject({ field: 'verificationGasLimit', max: 2_650_000n });
  const named = { bundlers: [numberedAddress(0xb1)] };
  expect(findAt(4_500_000n, named)).toBeUndefined();
  expect(findAt(4_500_001n, named)).toMatchObject({ field: 'verificationGasLimit', max: 4_500_000n });
});
