import { accept, type Result, refuse } from '../domain/result.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import { explainFailure } from './decode-failure.ts';

/** The largest number that an EntryPoint takes for a fee or a limit. */
const largestGasValue = (1n << 120n) - 1n;

/** Refuses what the EntryPoint refuses as `AA94`, before it is packed into fields that cannot hold it. */
export function checkFees(operation: UserOperation): Result<void> {
  const { maxFeePerGas, maxPriorityFeePerGas } = operation;
  const fits = maxFeePerGas <= largestGasValue && maxPriorityFeePerGas <= largestGasValue;
  return fits ? accept(undefined) : refuse(explainFailure('AA94', operation.entryPointVersion).refusal);
}
