import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { GasLimits } from '../../../domain/user-operation.ts';
import { unusedPostOpGas, type ValidatedData, validationGasLimit } from '../family/validation-gas.ts';

/**
 * What the contract adds to the gas it charges for in token mode (its field `overhead`): everything that happens after the
 * EntryPoint has told it the cost. The need with a plain token, and on top of it an allowance that is written and a token
 * behind a proxy with checks of its own, so that the sponsor does not lose on them.
 */
export const tollfreePostOpGas = 45_000n;

type PaymasterGasLimits = Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/** What the versions of the contract need, in gas: the least limits that pass, measured. */
type Needs = {
  /** Of validation for an operation without data. */
  readonly validation: Readonly<Record<SponsorshipMode, bigint>>;
  /** Of postOp with a plain token. */
  readonly postOp: bigint;
};

/**
 * The first version: validation with a signature that trails needs 22,600 (`SPONSORED`) and 25,300 (`ERC20`) for a transfer,
 * 61,300 and 63,900 for 64 KiB; 350 less with another one.
 */
const first: Needs = { validation: { SPONSORED: 22_400n, ERC20: 25_200n }, postOp: 29_800n };

/** The second version: 17,000 and 18,000 for a transfer, 55,600 and 56,600 for 64 KiB; postOp 22,150. */
const second: Needs = { validation: { SPONSORED: 16_900n, ERC20: 17_900n }, postOp: 22_200n };

/** What the validation limit of token mode has on top for tokens that are taken in advance, a first transfer to an empty treasury included. */
export const advanceReserve = 36_000n;

const postOpMarginBasisPoints = 1_000n;
/**
 * What the limit of postOp has beyond need and margin: for a first transfer to an empty treasury, an allowance that is
 * written, and a costlier token. The EntryPoint charges a tenth of unused postOp gas when more than 40,000 are left, so the
 * second version's limit is at most so much above what postOp uses, also where the call has used the token before.
 */
const postOpReserve = 22_200n;

/** Limits of the first version of the contract, in gas. `SPONSORED` has no postOp, whose limit is then {@link unusedPostOpGas}. */
export function firstTollfreeGasLimits(mode: SponsorshipMode, operation?: ValidatedData): PaymasterGasLimits {
  return limitsFor(first, mode, operation);
}

/** Limits of the second version of the contract, in gas. `SPONSORED` has no postOp, whose limit is then {@link unusedPostOpGas}. */
export function tollfreeGasLimits(mode: SponsorshipMode, operation?: ValidatedData): PaymasterGasLimits {
  return limitsFor(second, mode, operation);
}

function limitsFor(
  { validation, postOp }: Needs,
  mode: SponsorshipMode,
  operation: ValidatedData | undefined,
): PaymasterGasLimits {
  const isSponsored = mode === 'SPONSORED';
  const withMargin = postOp + (postOp * postOpMarginBasisPoints) / 10_000n;
  return {
    paymasterVerificationGasLimit: validationGasLimit(validation[mode], operation, isSponsored ? 0n : advanceReserve),
    paymasterPostOpGasLimit: isSponsored ? unusedPostOpGas : withMargin + postOpReserve,
  };
}
