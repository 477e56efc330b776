import type { SponsorshipMode } from '../domain/sponsorship.ts';
import type { GasLimits } from '../domain/user-operation.ts';

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

/**
 * Limits of the singleton for EntryPoint 0.7 and up, in gas.
 *
 * Verification: the contract hashes `callData` and `initCode`, and the EntryPoint copies them, so the need grows with
 * them. Least limits that pass, measured: 25,700 (`SPONSORED`) and 31,900 (`ERC20`) for a transfer, 64,300 and 70,500 for
 * 64 KiB, the most that is accepted. The constants cover that and a fifth more; what is not used of it costs nothing.
 *
 * PostOp: `SPONSORED` has none. `ERC20` uses 26,500 with a plain token; the rest is room for an allowance that is written,
 * a first transfer to an empty treasury (17,100) and a costlier token. 0.8 fines unused postOp gas beyond 40,000, which
 * the contract does not pass on, so the limit stays below that.
 */
export const singletonGasLimits: Readonly<Record<SponsorshipMode, PaymasterGasLimits>> = {
  SPONSORED: { paymasterVerificationGasLimit: 80_000n, paymasterPostOpGasLimit: 0n },
  ERC20: { paymasterVerificationGasLimit: 85_000n, paymasterPostOpGasLimit: 64_000n },
};
