import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { GasLimits } from '../../../domain/user-operation.ts';
import { bundlerLookupGas, unusedPostOpGas, type ValidatedData, validationGasLimit } from '../family/validation-gas.ts';

/**
 * Gas that the singleton adds to its charge in token mode (its field `postOpGas`): everything after the EntryPoint reported
 * the cost to the contract.
 *
 * Measured with a plain ERC-20 token from that moment to the end: 27,950 (0.6), 27,400 (0.7), 27,000 (0.8), of which 26,000
 * in postOp. The margin covers writing an allowance (5,000) and tokens behind a proxy with checks of their own (12,000), so
 * that the sponsor does not lose on them.
 */
export const singletonPostOpGas = 45_000n;

/**
 * The validation gas that the singleton assumes when it guesses the EntryPoint's penalty on unused gas (its field
 * `paymasterValidationGasLimit`, read by the 0.7 contract only). Measured in token mode: 32,000 for common call data. A
 * higher number makes the user pay more, a lower one the sponsor. Must not exceed {@link singletonPostOpGas}, on which the
 * bound in `singleton-charge.ts` relies.
 */
export const singletonValidationGas = 40_000n;

type PaymasterGasLimits = Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/** Gas of the singleton's validation for an operation without data: the lowest passing limits, measured. */
const validationGas: Readonly<Record<SponsorshipMode, bigint>> = { SPONSORED: 25_700n, ERC20: 31_900n };

/**
 * Addition to the validation limit in token mode for tokens taken in advance. Measured: 18,900 with a plain token, 17,000
 * more for the first transfer to an empty treasury. A token that needs more is charged after the call.
 */
export const advanceReserve = 36_000n;

/** Gas of postOp with a plain token: the lowest passing limit, measured as 29,750 (0.7) and 29,000 (0.8). */
const plainPostOpGas = 29_800n;
/** Margin of the postOp limit in basis points, as for every limit of ours. */
const postOpMarginBasisPoints = 1_000n;
/**
 * Addition to the postOp limit beyond need and margin. With the margin it covers a first transfer to an empty treasury
 * (17,100) and writing an allowance (5,000), neither of which is known when the limit is set. 0.8 penalizes unused postOp
 * gas above 40,000, which the contract does not pass on, so less must remain even if the call has used the token before.
 * Bundlers refuse limits that are mostly unused.
 */
export const postOpReserve = 19_000n;

/**
 * Limits of the singleton for EntryPoint 0.7 and up, in gas. `SPONSORED` has no postOp; its limit is {@link
 * unusedPostOpGas}.
 *
 * The lowest passing validation limits are 25,800 (`SPONSORED`) and 32,000 (`ERC20`; 29,700 on 0.8) for a transfer, and
 * 64,400 and 70,600 for 64 KiB, the most that is accepted.
 */
export function singletonGasLimits(mode: SponsorshipMode, operation?: ValidatedData): PaymasterGasLimits {
  return {
    paymasterVerificationGasLimit: validationGasLimit(
      validationGas[mode],
      operation,
      mode === 'SPONSORED' ? 0n : bundlerLookupGas + advanceReserve,
    ),
    paymasterPostOpGasLimit: mode === 'SPONSORED' ? unusedPostOpGas : postOpGasLimit,
  };
}

const postOpGasLimit = plainPostOpGas + (plainPostOpGas * postOpMarginBasisPoints) / 10_000n + postOpReserve;
