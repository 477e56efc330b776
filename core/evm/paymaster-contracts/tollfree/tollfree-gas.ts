import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { GasLimits } from '../../../domain/user-operation.ts';
import { type ValidatedData, validationGasLimit } from '../family/validation-gas.ts';

/**
 * What the contract adds to the gas it charges for in token mode (its field `overhead`): everything that happens after the
 * EntryPoint has told it the cost. The need with a plain token, and on top of it an allowance that is written and a token
 * behind a proxy with checks of its own, so that the sponsor does not lose on them.
 */
export const tollfreePostOpGas = 45_000n;

type PaymasterGasLimits = Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/**
 * Gas of the contract's validation for an operation without data. The least limits that pass, measured with a signature that
 * trails: 22,600 (`SPONSORED`) and 25,300 (`ERC20`) for a transfer, 61,300 and 63,900 for 64 KiB; 350 less with another one.
 */
const validationGas: Readonly<Record<SponsorshipMode, bigint>> = { SPONSORED: 22_400n, ERC20: 25_200n };

/** What the validation limit of token mode has on top for tokens that are taken in advance, a first transfer to an empty treasury included. */
const advanceReserve = 45_000n;

/** Gas of postOp with a plain token: the least limit that passes, measured. */
const plainPostOpGas = 29_800n;
const postOpMarginBasisPoints = 1_000n;
/**
 * What the limit of postOp has beyond need and margin: for a first transfer to an empty treasury, an allowance that is
 * written, and a costlier token. The EntryPoint fines unused postOp gas beyond 40,000, so the whole stays below that.
 */
const postOpReserve = 31_200n;
const postOpGasLimit = plainPostOpGas + (plainPostOpGas * postOpMarginBasisPoints) / 10_000n + postOpReserve;

/** Limits of `TollfreePaymaster`, in gas. `SPONSORED` has no postOp. */
export function tollfreeGasLimits(mode: SponsorshipMode, operation?: ValidatedData): PaymasterGasLimits {
  const isSponsored = mode === 'SPONSORED';
  return {
    paymasterVerificationGasLimit: validationGasLimit(
      validationGas[mode],
      operation,
      isSponsored ? 0n : advanceReserve,
    ),
    paymasterPostOpGasLimit: isSponsored ? 0n : postOpGasLimit,
  };
}
