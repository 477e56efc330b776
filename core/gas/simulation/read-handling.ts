import { getAbiItem, type Hex, toFunctionSelector } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { createAbiDecoder } from '../../evm/abi/abi-decoder.ts';
import { requiredPrefund } from '../../evm/entry-point/required-prefund.ts';
import { simulation06Abi, simulation07Abi } from '../../evm/entry-point/simulation-abi.ts';
import { type EntryPointFailure, explainFailure, readEntryPointFailure } from '../failures/decode-failure.ts';

/** 0.6 ends its simulations with an error, whatever came of them. */
const executionResult = getAbiItem({ abi: simulation06Abi, name: 'ExecutionResult' });
const executionResultSelector = toFunctionSelector('ExecutionResult(uint256,uint256,uint48,uint48,bool,bytes)');
const decodeExecutionResult = createAbiDecoder(executionResult.inputs);
const decodeHandled = createAbiDecoder(getAbiItem({ abi: simulation07Abi, name: 'simulateHandleOp' }).outputs);

/** Whether the EntryPoint takes the operation with its limits. Says nothing about the success of the call inside. */
export type Handling = { readonly taken: true } | ({ readonly taken: false } & EntryPointFailure);

/** Reads what `simulateHandleOp` came to. */
export function readHandling(
  operation: UserOperationWithGas,
  { returned, result }: { readonly returned: boolean; readonly result: Hex },
): Handling {
  const version = operation.entryPointVersion;
  const paid = readPaid(result, returned, version);
  if (paid === undefined) return { taken: false, ...readEntryPointFailure(result, version) };
  // From 0.7 on a prefund that does not suffice is no revert: the call is undone and the whole prefund is kept.
  const prefund = requiredPrefund(operation);
  if (version !== '0.6' && prefund > 0n && paid >= prefund) {
    return { taken: false, ...explainFailure('AA51', version) };
  }
  return { taken: true };
}

/** Wei paid, or nothing when the simulation did not end. */
function readPaid(data: Hex, returned: boolean, version: EntryPointVersion): bigint | undefined {
  try {
    if (version === '0.6') {
      if (!data.startsWith(executionResultSelector)) return undefined;
      return decodeExecutionResult(`0x${data.slice(executionResultSelector.length)}`)[1];
    }
    if (!returned) return undefined;
    return decodeHandled(data)[0].paid;
  } catch {
    return undefined;
  }
}
