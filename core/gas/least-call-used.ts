import type { GasLimits } from '../domain/user-operation.ts';
import type { OverEstimates } from './compare-limits.ts';
import { callMarginBasisPoints } from './simulation/estimation-limits.ts';

const basisPoints = 10_000n;

/**
 * How much gas the call has to use for its given limit not to be too far above what it needs, which is at least what it uses, with
 * the margin of an estimate; 0 where the allowance alone covers the limit. Undefined for a verification limit beyond its
 * allowance: an account can use as much as it is given, and only a search says what it needs.
 */
export function leastCallUsed(
  given: GasLimits,
  { limits, allowance }: Pick<OverEstimates, 'limits' | 'allowance'>,
): bigint | undefined {
  if (given.verificationGasLimit > allowance.verificationGasLimit) return undefined;
  const beyond = given.callGasLimit - allowance.callGasLimit;
  if (beyond <= 0n) return 0n;
  const needed = divideUp(beyond * basisPoints, BigInt(limits));
  return divideUp(needed * basisPoints, basisPoints + callMarginBasisPoints);
}

function divideUp(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}
