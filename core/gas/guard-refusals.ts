import type { Refusal } from '../domain/result/refusal.ts';
import { type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import type { Excess, GuardedLimit, OverEstimates, SpentLimit } from './compare-limits.ts';
import type { CheckResult } from './simulation/check-operation-runs.ts';
import { callMarginBasisPoints } from './simulation/estimation-context.ts';

/** The operator's setting that bounds a limit. */
const settings: Readonly<Record<GuardedLimit, string>> = {
  callGasLimit: 'maxGasOverEstimate',
  verificationGasLimit: 'maxGasOverEstimate',
  preVerificationGas: 'maxPreVerificationGasOverEstimate',
};

/** A limit too far above our own estimate. */
export function refuseExcess({ field, asked, max }: Excess, own: GasLimits): Result<never> {
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'GAS_LIMIT',
    message: `${field} is ${asked} gas. The operation needs about ${own[field]}, and at most ${max} is signed for it.`,
    field,
    details: { limit: settings[field], asked: asked.toString(), max: max.toString() },
  });
}

/** A limit too high to be signed for an operation that cannot be estimated yet. */
export function refuseUnestimatedExcess({ field, asked, max }: Excess): Result<never> {
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'GAS_LIMIT',
    message: `${field} is ${asked} gas. The operation cannot be estimated yet, and until then at most ${max} is signed.`,
    field,
    details: { limit: 'unestimatedGas', asked: asked.toString(), max: max.toString() },
  });
}

/** The EntryPoint accepts the operation with our own limits but not with the given ones. */
export function refuseShortLimit(refusal: Refusal, field: SpentLimit, given: GasLimits, own: GasLimits): Result<never> {
  if (refusal.reason !== 'ESTIMATION_FAILED') return refuse(refusal);
  return refuse({ ...tooLow(field, given, own), details: { ...refusal.details, ...amounts(field, given, own) } });
}

/** The operation's call succeeds with our own limits but not with the given ones. */
export function refuseShortCall(tried: CheckResult, given: GasLimits, own: GasLimits): Result<never> {
  const field = 'callGasLimit';
  const { success: _, ...details } = tried;
  const reverted = details.revert === 'none' ? {} : details;
  return refuse({ ...tooLow(field, given, own), details: { ...reverted, ...amounts(field, given, own) } });
}

function tooLow(field: SpentLimit, given: GasLimits, own: GasLimits) {
  const message = `${field} is ${given[field]} gas, with which the operation fails. It needs about ${own[field]}.`;
  return { reason: 'ESTIMATION_FAILED', message, field } as const;
}

function amounts(field: SpentLimit, given: GasLimits, own: GasLimits) {
  return { asked: given[field].toString(), needed: own[field].toString() };
}

const basisPoints = 10_000n;

/**
 * How much gas the call must use so that its given limit is not too far above its need. The need is at least the gas used,
 * with the margin of an estimate. 0 if the allowance covers the limit. Undefined for a verification limit above its
 * allowance: an account can use all it is given, so only a search shows its need.
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
