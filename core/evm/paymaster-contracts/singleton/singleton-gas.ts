import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { GasLimits } from '../../../domain/user-operation.ts';
import { bundlerLookupGas, unusedPostOpGas, type ValidatedData, validationGasLimit } from '../family/validation-gas.ts';

/**
 * What the singleton adds to the gas it charges for in token mode, in gas (its field `postOpGas`): everything that
 * happens after the EntryPoint has told it the cost.
 *
 * Measured with a plain ERC-20 token from that moment to the end: 27,950 (0.6), 27,400 (0.7), 27,000 (0.8), of which
 * 26,000 in postOp. The rest is margin for an allowance that is written (5,000) and for tokens behind a proxy with checks
 * of their own (12,000), so that the sponsor does not lose on them.
 */
export const singletonPostOpGas = 45_000n;

/**
 * Gas that validation by the singleton is taken to need when it guesses the EntryPoint's penalty on unused gas (its field
 * `paymasterValidationGasLimit`, read by the 0.7 contract only). Measured in token mode: 32,000 for common call data.
 * A higher number makes the user pay more, a lower one the sponsor. Must not exceed {@link singletonPostOpGas}, on which
 * the bound in `singleton-charge.ts` rests.
 */
export const singletonValidationGas = 40_000n;

type PaymasterGasLimits = Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/** Gas of the singleton's validation for an operation without data: the least limits that pass, measured. */
const validationGas: Readonly<Record<SponsorshipMode, bigint>> = { SPONSORED: 25_700n, ERC20: 31_900n };

/**
 * What the validation limit of token mode has on top for tokens that are taken in advance. Measured: 18,900 with a plain
 * token, 17,000 more for the first transfer to an empty treasury. One that needs more is charged after the call.
 */
export const advanceReserve = 36_000n;

/** Gas of postOp with a plain token: the least limit that passes, measured as 29,750 (0.7) and 29,000 (0.8). */
const plainPostOpGas = 29_800n;
/** What the limit of postOp has on top, in basis points, as every limit of ours has. */
const postOpMarginBasisPoints = 1_000n;
/**
 * What the limit of postOp has beyond need and margin: with the margin for a first transfer to an empty treasury (17,100) and an
 * allowance that is written (5,000). None of it can be seen when the limit is stated. 0.8 fines unused postOp gas beyond 40,000, which the contract
 * does not pass on: less must be left also where the call has used the token before. Bundlers refuse limits of which most is unused.
 */
export const postOpReserve = 19_000n;

/**
 * Limits of the singleton for EntryPoint 0.7 and up, in gas. `SPONSORED` has no postOp, whose limit is then {@link unusedPostOpGas}.
 *
 * The least validation limits that pass are 25,800 (`SPONSORED`) and 32,000 (`ERC20`; 29,700 on 0.8) for a transfer, 64,400
 * and 70,600 for 64 KiB, the most that is accepted.
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
