import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { boundsOf, leastCallUsed, maxLimit } from '../../core/gas/compare-limits.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { addMargin, callMarginBasisPoints } from '../../core/gas/simulation/estimation-context.ts';

const none: GasLimits = {
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  paymasterVerificationGasLimit: 0n,
  paymasterPostOpGasLimit: 0n,
};

test('the least that a call has to use is what its limit is just not too high for', () => {
  const gas = fc.bigInt({ min: 0n, max: 30_000_000n });
  fc.assert(
    fc.property(gas, fc.integer({ min: 11_000, max: 100_000 }), (callGasLimit, maxGasOverEstimate) => {
      const bounds = boundsOf({ maxGasOverEstimate }, gasSchedules.osaka, '0.7');
      const most = (used: bigint) => {
        const needed = { ...none, callGasLimit: addMargin(used, callMarginBasisPoints) };
        return maxLimit('callGasLimit', { limits: needed, dataGas: 0n, maxPreVerificationGas: 0n }, bounds);
      };
      const least = leastCallUsed({ ...none, callGasLimit }, bounds) ?? expect.fail();
      expect(most(least)).toBeGreaterThanOrEqual(callGasLimit);
      // Margins are rounded up, so that one gas less may do as well.
      if (least > 1n) expect(most(least - 2n)).toBeLessThan(callGasLimit);
    }),
  );
});

test('a verification limit that is not covered whatever is needed is one to search for', () => {
  const bounds = boundsOf({}, gasSchedules.osaka, '0.7');
  expect(leastCallUsed({ ...none, verificationGasLimit: 150_000n }, bounds)).toBe(0n);
  expect(leastCallUsed({ ...none, verificationGasLimit: 150_001n }, bounds)).toBe(undefined);
});
