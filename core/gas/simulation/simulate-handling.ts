import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { requiredPrefund } from '../../evm/entry-point/required-prefund.ts';
import { simulation06Abi, simulation07Abi } from '../../evm/entry-point/simulation-abi.ts';
import { type EntryPointFailure, explainFailure, readEntryPointFailure } from '../failures/decode-failure.ts';
import { callGasProbeAbi } from './call-gas-probe.generated.ts';
import { encodeSimulation } from './encode-operation.ts';
import { simulationOverrides } from './entry-point-overrides.ts';
import type { EstimationContext, SimulatedOperation } from './estimation-context.ts';
import { callProbe, probeAddress } from './override-call.ts';

/** Whether the EntryPoint takes the operation with its limits. Says nothing about the success of the call inside. */
export type Handling = { readonly taken: true } | ({ readonly taken: false } & EntryPointFailure);

/** Runs the operation through the EntryPoint's own `simulateHandleOp`. A failed signature check passes. */
export async function simulateHandling(
  { client, origin }: EstimationContext,
  simulated: SimulatedOperation,
): Promise<Result<Handling>> {
  const version = simulated.operation.entryPointVersion;
  const functionName = 'capture';
  const args = [simulated.entryPoint, encodeSimulation(simulated, 'handling')] as const;
  const answer = await callProbe(client, {
    to: probeAddress,
    origin,
    tip: simulated.operation.maxPriorityFeePerGas,
    data: encodeFunctionData({ abi: callGasProbeAbi, functionName, args }),
    overrides: simulationOverrides(simulated),
    decode: (data) => decodeFunctionResult({ abi: callGasProbeAbi, functionName, data }),
  });
  if (!answer.ok) return answer;
  const [returned, data] = answer.value;
  const paid = readPaid(data, returned, version);
  if (paid === undefined) return accept({ taken: false, ...readEntryPointFailure(data, version) });
  // From 0.7 on a prefund that does not suffice is no revert: the call is undone and the whole prefund is kept.
  const prefund = requiredPrefund(simulated.operation);
  if (version !== '0.6' && prefund > 0n && paid >= prefund) {
    return accept({ taken: false, ...explainFailure('AA51', version) });
  }
  return accept({ taken: true });
}

/** Wei paid, or nothing when the simulation did not end. */
function readPaid(data: Hex, returned: boolean, version: EntryPointVersion): bigint | undefined {
  try {
    if (version === '0.6') {
      const decoded = decodeErrorResult({ abi: simulation06Abi, data });
      return decoded.errorName === 'ExecutionResult' ? decoded.args[1] : undefined;
    }
    if (!returned) return undefined;
    return decodeFunctionResult({ abi: simulation07Abi, functionName: 'simulateHandleOp', data }).paid;
  } catch {
    return undefined;
  }
}
