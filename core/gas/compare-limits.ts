import type { GasLimits } from '../domain/user-operation.ts';

/** Limits that a caller gives and that cost the sponsor when they are too high. */
export const guardedLimits = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;
export type GuardedLimit = (typeof guardedLimits)[number];

/** How far a given limit may be above our own estimate when the operator does not say, in basis points of the estimate. */
export const usualOverEstimate = 20_000;
/** Gas that is allowed on top of that: for small limits the factor alone would be narrower than what wallets add. */
export const overEstimateAllowance = 50_000n;

const basisPoints = 10_000n;

/** A limit that is higher than what is signed. */
export type Excess = { readonly field: GuardedLimit; readonly asked: bigint; readonly most: bigint };

/** The highest limit that is signed where our own estimate is `own`. */
export function highestLimit(own: bigint, overEstimate: number): bigint {
  return (own * BigInt(overEstimate)) / basisPoints + overEstimateAllowance;
}

/** The first given limit that is too far above our own estimate. */
export function findExcess(given: GasLimits, own: GasLimits, overEstimate: number): Excess | undefined {
  for (const field of guardedLimits) {
    const most = highestLimit(own[field], overEstimate);
    if (given[field] > most) return { field, asked: given[field], most };
  }
  return undefined;
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
 * The given limits that are below what is known to suffice. `preVerificationGas` is none of them: too little of it is the
 * bundler's loss, which it may accept, and nobody else's.
 */
export function findShortLimits(given: GasLimits, sufficient: GasLimits): readonly SpentLimit[] {
  return spentLimits.filter((field) => given[field] < sufficient[field]);
}
