import type { ChainConfig } from '../domain/core-config.ts';
import type { GasLimits } from '../domain/user-operation.ts';

/** Limits that a caller gives and that cost the sponsor when they are too high. */
export const guardedLimits = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;
export type GuardedLimit = (typeof guardedLimits)[number];
/** Those that a simulation finds. */
type EstimatedLimit = Exclude<GuardedLimit, 'preVerificationGas'>;

/** How far given limits may be above our own estimate, in basis points of it. */
export type OverEstimates = Readonly<Record<'limits' | 'preVerificationGas', number>>;

/**
 * What is taken when the operator does not say. A tenth of unused call gas is paid to the bundler, who may be the sender:
 * half of a large call's need on top would be worth more to it than what an honest bundler earns.
 */
export const defaultOverEstimates: OverEstimates = { limits: 12_500, preVerificationGas: 12_500 };

/** What the operator says for a chain. */
export function overEstimatesOf({
  maxGasOverEstimate = defaultOverEstimates.limits,
  maxPreVerificationGasOverEstimate = defaultOverEstimates.preVerificationGas,
}: Pick<ChainConfig, 'maxGasOverEstimate' | 'maxPreVerificationGasOverEstimate'>): OverEstimates {
  return { limits: maxGasOverEstimate, preVerificationGas: maxPreVerificationGasOverEstimate };
}

/**
 * Gas that is allowed on top of that: for small limits the factor alone would be narrower than the round numbers that
 * people put in. It follows what an excess costs the sponsor: a tenth of unused call gas, and for verification gas only the
 * tank being held for longer.
 */
export const overEstimateAllowance: Readonly<Record<EstimatedLimit, bigint>> = {
  callGasLimit: 150_000n,
  verificationGasLimit: 2_000_000n,
};

/** The highest limits that are signed for an operation that cannot be estimated yet, e.g. before its account exists. */
export const unestimatedMost: Readonly<Record<EstimatedLimit, bigint>> = {
  callGasLimit: 200_000n,
  verificationGasLimit: 1_000_000n,
};

const basisPoints = 10_000n;

/** A limit that is higher than what is signed. */
export type Excess = { readonly field: GuardedLimit; readonly asked: bigint; readonly max: bigint };

/**
 * Our own estimate, which part of its `preVerificationGas` pays for data on a layer 2, and the most that is signed of the
 * rest.
 */
export type OwnLimits = {
  readonly limits: GasLimits;
  readonly dataGas: bigint;
  readonly maxPreVerificationGas: bigint;
};

/**
 * The highest limit that is signed where this is our own estimate. What a layer 2 asks for data changes from block to
 * block: that part may double.
 */
export function maxLimit(
  field: GuardedLimit,
  { limits, dataGas, maxPreVerificationGas }: OwnLimits,
  overEstimates: OverEstimates,
  allowance = overEstimateAllowance,
): bigint {
  if (field === 'preVerificationGas') return maxPreVerificationGas + 2n * dataGas;
  return (limits[field] * BigInt(overEstimates.limits)) / basisPoints + allowance[field];
}

/** The first given limit that is too far above our own estimate. */
export function findExcess(
  given: GasLimits,
  own: OwnLimits,
  overEstimates: OverEstimates,
  allowance = overEstimateAllowance,
): Excess | undefined {
  return findAbove(given, (field) => maxLimit(field, own, overEstimates, allowance));
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

/** Limits without which an operation fails on chain, in the order in which it would. */
const spentLimits = [
  'verificationGasLimit',
  'paymasterVerificationGasLimit',
  'callGasLimit',
  'paymasterPostOpGasLimit',
] as const satisfies readonly (keyof GasLimits)[];
export type SpentLimit = (typeof spentLimits)[number];

/**
 * The given limits that are below what is known to suffice. `preVerificationGas` is not among them: too little of it is
 * the bundler's own loss, which it may accept.
 */
export function findShortLimits(given: GasLimits, sufficient: GasLimits): readonly SpentLimit[] {
  return spentLimits.filter((field) => given[field] < sufficient[field]);
}
