import { expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { boundsOf, findExcess, findShortLimits, findUnestimatedExcess } from '../../core/gas/compare-limits.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';

const bounds = boundsOf({}, gasSchedules.osaka, '0.7');

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
  const estimate = { limits: own, dataGas: 20_000n, maxPreVerificationGas: 49_000n };
  const max = 49_000n + 40_000n;
  expect(findExcess({ ...own, preVerificationGas: max }, estimate, bounds)).toBeUndefined();
  expect(findExcess({ ...own, preVerificationGas: max + 1n }, estimate, bounds)).toEqual({
    field: 'preVerificationGas',
    asked: max + 1n,
    max,
  });
});

test('limits without an estimate may be the constants, and preVerificationGas what its bytes need', () => {
  const most = { callGasLimit: 100_000n, verificationGasLimit: 150_000n, preVerificationGas: 60_000n };
  expect(findUnestimatedExcess({ ...own, ...most }, most.preVerificationGas, bounds)).toBeUndefined();
  for (const field of ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const) {
    const [asked, max] = [most[field] + 1n, most[field]];
    const found = findUnestimatedExcess({ ...own, ...most, [field]: asked }, most.preVerificationGas, bounds);
    expect(found).toEqual({ field, asked, max });
  }
});

/** The highest limits for an operation that needs 1,000,000 gas for its call and 2,000,000 for its validation. */
test.each([
  ['0.7', 'osaka', {}, 1_400_000n, 2_750_000n],
  ['0.9', 'osaka', {}, 1_400_000n, 2_750_000n],
  // alto adds half to the verification of 0.6, and 71,000 gas to its call.
  ['0.6', 'osaka', {}, 1_450_000n, 3_150_000n],
  ['0.7', 'osaka', { maxGasOverEstimate: 11_000 }, 1_200_000n, 2_350_000n],
  // A new slot costs 87,920 more.
  ['0.7', 'glamsterdam', {}, 1_487_920n, 2_837_920n],
] as const)(
  'limits of EntryPoint %s on %s may be what is needed, 30 percent and a constant (%j)',
  (version, fork, config, call, verification) => {
    const limits = { ...own, callGasLimit: 1_100_000n, verificationGasLimit: 2_200_000n };
    const estimate = { limits, dataGas: 0n, maxPreVerificationGas: own.preVerificationGas };
    const find = (callGasLimit: bigint, verificationGasLimit: bigint) =>
      findExcess(
        { ...own, callGasLimit, verificationGasLimit },
        estimate,
        boundsOf(config, gasSchedules[fork], version),
      );
    expect(find(call, verification)).toBeUndefined();
    expect(find(call + 1n, verification)).toMatchObject({ field: 'callGasLimit', max: call });
    expect(find(call, verification + 1n)).toMatchObject({ field: 'verificationGasLimit', max: verification });
  },
);
