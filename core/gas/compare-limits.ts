import { divideUp, maxBigint } from '../base/values/integers.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { type Result, refuse } from '../domain/result/result.ts';
import type { UnitPrices } from '../domain/unit-prices.ts';
import type { GasLimits } from '../domain/user-operation.ts';
import { entryPointOf } from '../evm/entry-point/entry-points.ts';
import type { CheckResult } from './simulation/check-operation-runs.ts';
import { callMarginBasisPoints, verificationMarginBasisPoints } from './simulation/estimation-context.ts';

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
 * How much gas the call must use so that its given limit is not too far above its need, which is at least the gas used. 0 if
 * the constant covers the limit. Undefined for a verification limit above its constant: an account can use all it is given,
 * so only a search shows its need.
 */
export function leastCallUsed(given: GasLimits, { callGasLimit, verificationGasLimit }: Bounds): bigint | undefined {
  if (given.verificationGasLimit > verificationGasLimit.constant) return undefined;
  const beyond = given.callGasLimit - callGasLimit.constant;
  return beyond <= 0n ? 0n : divideUp(beyond * basisPoints, callGasLimit.factor);
}

/** Limits given by the caller that cost the sponsor when they are too high. */
export const guardedLimits = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;
export type GuardedLimit = (typeof guardedLimits)[number];
/** The guarded limits that a simulation finds. */
type EstimatedLimit = Exclude<GuardedLimit, 'preVerificationGas'>;

/**
 * The operator's settings when absent, in basis points: the highest limit that is signed, of what the operation needs, and
 * the highest `preVerificationGas`, of our own without its part for data.
 */
export const defaultOverEstimates = { limits: 13_000, preVerificationGas: 12_500 } as const;

/** How far a caller's `preVerificationGas` may exceed our own without its part for data, in basis points of that. */
export function overPreVerificationGas({
  maxPreVerificationGasOverEstimate = defaultOverEstimates.preVerificationGas,
}: Pick<ChainConfig, 'maxPreVerificationGasOverEstimate'>): number {
  return maxPreVerificationGasOverEstimate;
}

/** A limit is signed up to `factor`, in basis points, of what the operation needs, and a `constant` in gas. */
type Bound = { readonly factor: bigint; readonly constant: bigint };
export type Bounds = Readonly<Record<EstimatedLimit, Bound>>;

/** What alto adds to the verification of EntryPoint 0.6 beyond the 30 % that it adds elsewhere, in basis points. */
const halfOfUnpacked = 2_000n;

/**
 * The bounds of a chain with these prices: a bundler may add 30 % to what it measures. The constants have room for a slot that
 * exists when one of us measures and not when the other does, for signatures that no simulation sees (`maxSignatures`), and
 * for the 71,000 gas and the `postOp` that alto adds to `callGasLimit` on EntryPoint 0.6.
 */
export function boundsOf(
  { maxGasOverEstimate = defaultOverEstimates.limits }: Pick<ChainConfig, 'maxGasOverEstimate'>,
  { newSlot }: UnitPrices,
  version: EntryPointVersion,
): Bounds {
  const factor = BigInt(maxGasOverEstimate);
  const { isPacked } = entryPointOf(version);
  return {
    callGasLimit: { factor, constant: newSlot + (isPacked ? 77_900n : 127_900n) },
    verificationGasLimit: { factor: isPacked ? factor : factor + halfOfUnpacked, constant: newSlot + 127_900n },
  };
}

const basisPoints = 10_000n;
/** Our own limits are what the operation needs with these margins, in basis points. */
const margins = { callGasLimit: callMarginBasisPoints, verificationGasLimit: verificationMarginBasisPoints };

/** A limit that is higher than what is signed. */
export type Excess = { readonly field: GuardedLimit; readonly asked: bigint; readonly max: bigint };

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
 * may double. What no simulation has seen counts within the constant, so that claiming it gains nothing.
 */
export function maxLimit(
  field: GuardedLimit,
  { limits, dataGas, maxPreVerificationGas, unseenGas = 0n }: OwnLimits,
  bounds: Bounds,
): bigint {
  if (field === 'preVerificationGas') return maxPreVerificationGas + 2n * dataGas;
  const { factor, constant } = bounds[field];
  const unseen = field === 'verificationGasLimit' ? unseenGas : 0n;
  const needed = ((limits[field] - unseen) * basisPoints) / (basisPoints + margins[field]);
  return maxBigint((needed * factor) / basisPoints + constant, limits[field]);
}

/** The first given limit that is too far above our own estimate. */
export function findExcess(given: GasLimits, own: OwnLimits, bounds: Bounds): Excess | undefined {
  return findAbove(given, (field) => maxLimit(field, own, bounds));
}

/**
 * The first given limit that is above what is signed for an operation that cannot be measured yet, e.g. before its account
 * exists: the constants alone.
 */
export function findUnestimatedExcess(
  given: GasLimits,
  maxPreVerificationGas: bigint,
  bounds: Bounds,
): Excess | undefined {
  return findAbove(given, (field) => (field === 'preVerificationGas' ? maxPreVerificationGas : bounds[field].constant));
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
