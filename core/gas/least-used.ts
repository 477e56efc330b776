import type { GasLimits } from '../domain/user-operation.ts';
import { type GuardedLimit, type OverEstimates, overEstimateAllowance } from './compare-limits.ts';
import { callMarginBasisPoints, verificationMarginBasisPoints } from './simulation/estimation-limits.ts';
import type { UsedGas } from './simulation/plan-measurement.ts';

const basisPoints = 10_000n;

/**
 * How much an operation has to use of given limits for none of them to be too far above what it needs: what it needs is at
 * least what it uses, with the margins of an estimate. Nothing where the allowance alone covers the limit.
 */
export function leastUsed(given: GasLimits, overEstimates: OverEstimates): UsedGas {
  const leastOf = (field: GuardedLimit & keyof typeof marginOf): bigint => {
    const beyond = given[field] - overEstimateAllowance[field];
    if (beyond <= 0n) return 0n;
    const needed = divideUp(beyond * basisPoints, BigInt(overEstimates.limits));
    return divideUp(needed * basisPoints, basisPoints + marginOf[field]);
  };
  return { verification: leastOf('verificationGasLimit'), call: leastOf('callGasLimit') };
}

const marginOf = {
  callGasLimit: callMarginBasisPoints,
  verificationGasLimit: verificationMarginBasisPoints,
} as const;

function divideUp(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}
