import { size } from 'viem';
import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { GasLimits } from '../../../domain/user-operation.ts';
import type { TokenPermit } from '../family/family.ts';
import { bundlerLookupGas, unusedPostOpGas, type ValidatedData, validationGasLimit } from '../family/validation-gas.ts';

/**
 * Gas that the contract adds to its charge in token mode (its field `overhead`): everything after the EntryPoint reported
 * the cost to the contract. The need with a plain token, plus writing an allowance and a token behind a proxy with checks of
 * its own, so that the sponsor does not lose on them.
 */
export const tollfreePostOpGas = 45_000n;

type PaymasterGasLimits = Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/**
 * What validation needs for an operation without data, in gas, measured: 17,000 (`SPONSORED`) and 18,000 (`ERC20`) for a transfer,
 * 55,600 and 56,600 for 64 KiB.
 */
const validationNeed: Readonly<Record<SponsorshipMode, bigint>> = { SPONSORED: 16_900n, ERC20: 17_900n };
/** What postOp needs with a plain token, in gas: 22,150 were measured. */
const postOpNeed = 22_200n;

/**
 * Addition to the validation limit in token mode for tokens taken in advance, including a first transfer to an empty
 * treasury.
 */
export const advanceReserve = 36_000n;

/**
 * Addition for a permit: a first nonce and a first allowance, of a token behind a proxy. A permit that the sender's own code
 * verifies (ERC-1271) also needs gas for that code.
 */
const permitReserve = 75_000n;
const ownCodeReserve = 100_000n;
const keySignatureBytes = 65;

const postOpMarginBasisPoints = 1_000n;
/**
 * Addition to the postOp limit beyond need and margin: for a first transfer to an empty treasury, writing an allowance, and
 * a costlier token. The EntryPoint charges a tenth of unused postOp gas when more than 40,000 are left, so the limit must
 * not exceed the actual use by more, even if the call has used the token before.
 */
const postOpReserve = 22_200n;

function permitGas(permit: TokenPermit | undefined): bigint {
  if (permit === undefined) return 0n;
  return size(permit.signature) === keySignatureBytes ? permitReserve : permitReserve + ownCodeReserve;
}

/** Limits of the contract, in gas. `SPONSORED` has no postOp; its limit is {@link unusedPostOpGas}. */
export function tollfreeGasLimits(
  mode: SponsorshipMode,
  operation?: ValidatedData,
  permit?: TokenPermit,
): PaymasterGasLimits {
  const isSponsored = mode === 'SPONSORED';
  const withMargin = postOpNeed + (postOpNeed * postOpMarginBasisPoints) / 10_000n;
  return {
    paymasterVerificationGasLimit: validationGasLimit(
      validationNeed[mode],
      operation,
      isSponsored ? 0n : bundlerLookupGas + advanceReserve + permitGas(permit),
    ),
    paymasterPostOpGasLimit: isSponsored ? unusedPostOpGas : withMargin + postOpReserve,
  };
}
