import type { GasSchedule } from '../schedule/gas-schedule.ts';

/** Bounds and margins of our own estimation. Gas unless said otherwise. */

/** Gas of one `eth_call`. Public nodes allow 50 million; below that none has to cut it down. */
export const estimationCallGas = 30_000_000n;
/** Of one that runs code of other addresses: up to four frames more keep 1/64 back each, and as much is left with it. */
export const delegatingCallGas = 32_000_000n;

/** Verification limits that are tried in turn before an operation counts as failing. */
export const verificationCeilings = [500_000n, 2_000_000n, 8_000_000n] as const;
/** Highest verification limit: the last of `verificationCeilings`. */
export const verificationCeiling = 8_000_000n;
/** Highest limit tried for the execution. A transaction has 16.7 million in all (EIP-7825). */
export const executionCeiling = 12_000_000n;
/** Highest limit tried for the paymaster's `postOp`. */
export const postOpCeiling = 1_000_000n;
/**
 * Attempts of one search, which goes out from what was used in growing steps and then halves what is left. The searches stop
 * at a tolerance of 0.4 %, nearly always after one or two attempts.
 */
export const searchRounds = 20n;
/** Bytes of an operation that an EntryPoint copies for a unit of gas, where the search for the verification limit begins. */
export const copiedBytesPerGas = 10n;

/**
 * Gas that a payment is tried with in addition to what the call used. Less than the other limits of any operation come to: an
 * approval of what was quoted has to be enough for it.
 */
export const chargedOverhead = 100_000n;

/** Added to a measured limit, in basis points: the state may differ a little when the operation lands. */
export const verificationMarginBasisPoints = 1_000n;
export const callMarginBasisPoints = 1_000n;
export const postOpMarginBasisPoints = 1_000n;

/** Added to a data fee, in basis points: the price of the other layer's data may rise before the operation lands. */
const dataFeeMarginBasisPoints = 2_500n;

/**
 * Verification limit from which `postOp` of EntryPoint 0.6 can move tokens although that could not be tried: the limit
 * bounds `postOp` too, and at estimation time the account may not own or have approved the tokens yet. One slot of it is new,
 * of the treasury's first tokens.
 */
export function unmeasuredPostOpGas({ newSlot }: GasSchedule): bigint {
  return 97_900n + newSlot;
}

/** How often, and by how much, a limit that the final simulation finds too low is raised. */
export const limitRaises = 3;
export const raiseBasisPoints = 2_500n;

const basisPoints = 10_000n;

/** `gas` and the margin on top, rounded up. */
export function addMargin(gas: bigint, marginBasisPoints: bigint): bigint {
  return gas + (gas * marginBasisPoints + basisPoints - 1n) / basisPoints;
}

/** A data fee, in gas or wei, with its margin. */
export function addDataFeeMargin(fee: bigint): bigint {
  return addMargin(fee, dataFeeMarginBasisPoints);
}
