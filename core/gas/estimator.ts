import type { Address, Hex } from 'viem';
import type { Result } from '../domain/result.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../domain/user-operation.ts';

/** What an estimate is made for. */
export type EstimationRequest = {
  readonly operation: UserOperation;
  readonly entryPoint: Address;
  /** The limits the paymaster contract needs for itself (0 for EntryPoint 0.6). */
  readonly paymasterGas: Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;
  /** `paymasterAndData` with a stub signature for the operation with these limits; as long as the final one. */
  stub(operation: UserOperationWithGas): Hex;
  /**
   * Extra room for call gas, in gas, that the estimate cannot see yet (token mode: the approve a client prepends).
   */
  readonly callGasAllowance: bigint;
};

/**
 * Finds gas limits with which an operation lands. Refuses with `ESTIMATION_FAILED` (the EntryPoint's AA code and the
 * inner revert in `details`, the limit or field to look at in `field`) or `CHAIN_UNAVAILABLE`.
 */
export type GasEstimator = {
  estimate(request: EstimationRequest): Promise<Result<GasLimits>>;
};
