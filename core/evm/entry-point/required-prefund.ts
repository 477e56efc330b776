import type { UserOperationWithGas } from '../../domain/user-operation.ts';

/**
 * The most wei an EntryPoint takes from the paymaster's deposit for an operation: its own required prefund. It sets this
 * much aside before execution and gives back what was not used (an operation that would cost more reverts with `AA51` or
 * is charged exactly this), so the penalty on unused gas is inside it.
 *
 * - 0.6 (`_getRequiredPrefund` with a paymaster): `callGasLimit + 3 * verificationGasLimit + preVerificationGas`, since
 *   validation, postOp and a second postOp each may use the verification limit;
 * - 0.7 and up: the sum of the five limits;
 *
 * both times `maxFeePerGas`.
 */
export function requiredPrefund(operation: UserOperationWithGas): bigint {
  return requiredGas(operation) * operation.maxFeePerGas;
}

/** The gas the required prefund pays for. */
export function requiredGas({ entryPointVersion, gas }: UserOperationWithGas): bigint {
  const account = gas.callGasLimit + gas.preVerificationGas;
  if (entryPointVersion === '0.6') return account + 3n * gas.verificationGasLimit;
  return account + gas.verificationGasLimit + gas.paymasterVerificationGasLimit + gas.paymasterPostOpGasLimit;
}
