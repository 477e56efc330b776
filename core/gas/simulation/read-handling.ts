import type { Hex } from 'viem';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { EntryPoint } from '../../evm/entry-point/entry-point.ts';
import { entryPointOf, requiredPrefund } from '../../evm/entry-point/entry-points.ts';
import { type EntryPointFailure, explainFailure, readEntryPointFailure } from '../failures/decode-failure.ts';

/** Whether the EntryPoint takes the operation with its limits. Says nothing about the success of the call inside. */
export type Handling = { readonly taken: true } | ({ readonly taken: false } & EntryPointFailure);

/** Reads what `simulateHandleOp` came to. */
export function readHandling(
  operation: UserOperationWithGas,
  { returned, result }: { readonly returned: boolean; readonly result: Hex },
): Handling {
  const { version, simulation } = entryPointOf(operation.entryPointVersion);
  const paid = readPaid(simulation, result, returned);
  if (paid === undefined) return { taken: false, ...readEntryPointFailure(result, version) };
  const prefund = requiredPrefund(operation);
  if (simulation.keepsShortPrefund && prefund > 0n && paid >= prefund) {
    return { taken: false, ...explainFailure('AA51', version) };
  }
  return { taken: true };
}

/** Wei paid, or nothing when the simulation did not end. */
function readPaid(simulation: EntryPoint['simulation'], answer: Hex, returned: boolean): bigint | undefined {
  try {
    return simulation.readPaid(answer, returned);
  } catch {
    return undefined;
  }
}
