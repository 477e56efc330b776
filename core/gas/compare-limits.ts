import { maxBigint } from '../base/values/integers.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { type Result, refuse } from '../domain/result/result.ts';
import type { GasLimits } from '../domain/user-operation.ts';
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

/** Limits given by the caller that cost the sponsor when they are too high. */
export const guardedLimits = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;
export type GuardedLimit = (typeof guardedLimits)[number];
/** The guarded limits that a simulation finds. */
type EstimatedLimit = Exclude<GuardedLimit, 'preVerificationGas'>;

/**
 * How far given limits may exceed our own estimate: in basis points of it, plus `allowance` in gas. For small limits, the
 * factor would be narrower than the round numbers that people use.
 */
export type OverEstimates = Readonly<Record<'limits' | 'preVerificationGas', number>> & {
  readonly allowance: Readonly<Record<EstimatedLimit, bigint>>;
};

/**
 * Used when the operator sets nothing. A tenth of unused call gas goes to the bundler, who may be the sender: adding half of
 * a large call's need would earn such a bundler more than an honest one. Unused verification gas costs the sponsor nothing.
 * But code deployed only when the operation lands can use it to set and clear storage, and the chain refunds a fifth to the
 * bundler.
 */
export const defaultOverEstimates: OverEstimates = {
  limits: 12_500,
  preVerificationGas: 12_500,
  allowance: { callGasLimit: 150_000n, verificationGasLimit: 150_000n },
};

/** Where the operator names bundlers, no sender receives the refund. */
const verificationAllowanceOfNamedBundlers = 2_000_000n;

/** The operator's settings for a chain. */
export function overEstimatesOf({
  maxGasOverEstimate = defaultOverEstimates.limits,
  maxPreVerificationGasOverEstimate = defaultOverEstimates.preVerificationGas,
  bundlers,
}: Pick<ChainConfig, 'maxGasOverEstimate' | 'maxPreVerificationGasOverEstimate' | 'bundlers'>): OverEstimates {
  const { allowance } = defaultOverEstimates;
  return {
    limits: maxGasOverEstimate,
    preVerificationGas: maxPreVerificationGasOverEstimate,
    allowance:
      bundlers === undefined ? allowance : { ...allowance, verificationGasLimit: verificationAllowanceOfNamedBundlers },
  };
}

/** The highest limits that are signed for an operation that cannot be estimated yet, e.g. before its account exists. */
export const unestimatedMost: Readonly<Record<EstimatedLimit, bigint>> = {
  callGasLimit: 200_000n,
  verificationGasLimit: 1_000_000n,
};

const basisPoints = 10_000n;

/** A limit that is higher than what is signed. */
type Excess = { readonly field: GuardedLimit; readonly asked: bigint; readonly max: bigint };

/**
 * Our own estimate, which part of its `preVerificationGas` pays for data on a layer 2, and the most that is signed of the
 * rest. `unseenGas`: the part of its `verificationGasLimit` that was added to what a simulation needs; none when absent.
 */
export type OwnLimits = {
  readonly limits: GasLimits;
  readonly dataGas: bigint;
  readonly maxPreVerificationGas: bigint;
  readonly unseenGas?: bigint;
};

/**
 * The highest limit that is signed, given our own estimate. The data fee of a layer 2 changes from block to block: that part
 * may double. What no simulation has seen counts within the allowance, so that claiming it gains nothing.
 */
export function maxLimit(
  field: GuardedLimit,
  { limits, dataGas, maxPreVerificationGas, unseenGas = 0n }: OwnLimits,
  { limits: factor, allowance }: Pick<OverEstimates, 'limits' | 'allowance'>,
): bigint {
  if (field === 'preVerificationGas') return maxPreVerificationGas + 2n * dataGas;
  const unseen = field === 'verificationGasLimit' ? unseenGas : 0n;
  return maxBigint(((limits[field] - unseen) * BigInt(factor)) / basisPoints + allowance[field], limits[field]);
}

/** The first given limit that is too far above our own estimate. */
export function findExcess(
  given: GasLimits,
  own: OwnLimits,
  overEstimates: Pick<OverEstimates, 'limits' | 'allowance'>,
): Excess | undefined {
  return findAbove(given, (field) => maxLimit(field, own, overEstimates));
}

/** The first given limit that is above what is signed without an estimate. */
export function findUnestimatedExcess(given: GasLimits, maxPreVerificationGas: bigint): Excess | undefined {
  const most = { ...unestimatedMost, preVerificationGas: maxPreVerificationGas };
  return findAbove(given, (field) => most[field]);
}

function findAbove(given: GasLimits, maxOf: (field: GuardedLimit) => bigint): Excess | undefined {
  return guardedLimits
    .map((field) => ({ field, asked: given[field], max: maxOf(field) }))
    .find(({ asked, max }) => asked > max);
}

/** Limits that fail an operation on chain when they are too low, in the order of failure. */
const spentLimits = [
  'verificationGasLimit',
  'paymasterVerificationGasLimit',
  'callGasLimit',
  'paymasterPostOpGasLimit',
] as const satisfies readonly (keyof GasLimits)[];
type SpentLimit = (typeof spentLimits)[number];

/**
 * The given limits that are below what is known to suffice. `preVerificationGas` is not included: if it is too low, the
 * bundler loses, and may accept that.
 */
export function findShortLimits(given: GasLimits, sufficient: GasLimits): readonly SpentLimit[] {
  return spentLimits.filter((field) => given[field] < sufficient[field]);
}
