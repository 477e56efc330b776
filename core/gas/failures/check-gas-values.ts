import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { GasLimits, UserOperation } from '../../domain/user-operation.ts';
import { explainFailure } from './decode-failure.ts';

/** The largest number that an EntryPoint takes for a fee or a limit. */
const maxGasValue = (1n << 120n) - 1n;

/** Refuses what the EntryPoint refuses as `AA94`, before it is packed into fields that cannot hold it. */
export function checkGasValues(operation: UserOperation & { readonly gas?: GasLimits }): Result<void> {
  const { maxFeePerGas, maxPriorityFeePerGas, gas, entryPointVersion } = operation;
  const values = [maxFeePerGas, maxPriorityFeePerGas, ...Object.values(gas ?? {})];
  if (values.every((value) => value <= maxGasValue)) return accept(undefined);
  return refuse(explainFailure('AA94', entryPointVersion).refusal);
}
