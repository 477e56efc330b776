import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { maxLimit } from '../../core/gas/compare-limits.ts';
import { leastUsed } from '../../core/gas/least-used.ts';
import {
  addMargin,
  callMarginBasisPoints,
  verificationMarginBasisPoints,
} from '../../core/gas/simulation/estimation-limits.ts';

const none: GasLimits = {
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  paymasterVerificationGasLimit: 0n,
  paymasterPostOpGasLimit: 0n,
};

test.each([
  ['callGasLimit', 'call', callMarginBasisPoints],
  ['verificationGasLimit', 'verification', verificationMarginBasisPoints],
] as const)('the least that has to be used of a %s is what it is just not too high for', (field, name, margin) => {
  const gas = fc.bigInt({ min: 0n, max: 30_000_000n });
  fc.assert(
    fc.property(gas, fc.integer({ min: 10_000, max: 100_000 }), (given, limits) => {
      const overEstimates = { limits, preVerificationGas: 10_000 };
      const most = (used: bigint) =>
        maxLimit(field, { limits: { ...none, [field]: addMargin(used, margin) }, dataGas: 0n }, overEstimates);
      const least = leastUsed({ ...none, [field]: given }, overEstimates)[name];
      expect(most(least)).toBeGreaterThanOrEqual(given);
      // Margins are rounded up, so that one gas less may do as well.
      if (least > 1n) expect(most(least - 2n)).toBeLessThan(given);
    }),
  );
});
