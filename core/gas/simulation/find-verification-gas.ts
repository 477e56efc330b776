import { decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { GasLimits } from '../../domain/user-operation.ts';
import { simulation06Abi, simulation07Abi } from '../../evm/entry-point/simulation-abi.ts';
import { senselessAnswer } from '../../node/node-error.ts';
import { readEntryPointFailure } from '../failures/decode-failure.ts';
import { callGasProbeAbi } from './call-gas-probe.generated.ts';
import { encodeSimulation, verificationLimitPlace } from './encode-operation.ts';
import { simulationOverrides } from './entry-point-overrides.ts';
import type { EstimationContext, SimulatedOperation } from './estimation-context.ts';
import { searchRounds, verificationCeilings } from './estimation-limits.ts';
import { callProbe, probeAddress } from './override-call.ts';

/**
 * The smallest verification limit with which validation passes, the gas it then burns and in which state (`Moment.current`),
 * or why none does.
 */
export type VerificationGas =
  | { readonly passes: true; readonly limit: bigint; readonly used: bigint; readonly moment: Hex }
  | { readonly passes: false; readonly refusal: Refusal; readonly shortLimit?: keyof GasLimits };

/**
 * Searches the smallest `verificationGasLimit` with the EntryPoint's own `simulateValidation`, in one `eth_call`. All the
 * EntryPoint counts against the limit is in it: creation, the account's check, its own bookkeeping, and in 0.6 the
 * paymaster's. A failed signature check passes.
 */
export async function findVerificationGas(
  { client, origin }: EstimationContext,
  simulated: SimulatedOperation,
): Promise<Result<VerificationGas>> {
  const version = simulated.operation.entryPointVersion;
  const { offset, shift } = verificationLimitPlace(version);
  const functionName = 'findVerificationGas';
  const simulation = encodeSimulation(simulated, 'validation');
  const answer = await callProbe(client, {
    to: probeAddress,
    origin,
    tip: simulated.operation.maxPriorityFeePerGas,
    data: encodeFunctionData({
      abi: callGasProbeAbi,
      functionName,
      args: [simulated.entryPoint, simulation, offset, shift, verificationCeilings, searchRounds],
    }),
    overrides: simulationOverrides(simulated),
    decode: (data) => decodeFunctionResult({ abi: callGasProbeAbi, functionName, data }),
  });
  if (!answer.ok) return answer;
  const [limit, result, moment] = answer.value;
  if (limit === 0n) return accept({ passes: false, ...readEntryPointFailure(result, version) });
  const used = readValidationGas(result, version);
  if (used === undefined) return refuse(senselessAnswer);
  return accept({ passes: true, limit, used: used - simulated.operation.gas.preVerificationGas, moment });
}

function readValidationGas(result: Hex, version: EntryPointVersion): bigint | undefined {
  try {
    if (version === '0.6') {
      const { args } = decodeErrorResult({ abi: simulation06Abi, data: result });
      const [returnInfo] = args;
      return typeof returnInfo === 'object' ? returnInfo.preOpGas : undefined;
    }
    const { returnInfo } = decodeFunctionResult({
      abi: simulation07Abi,
      functionName: 'simulateValidation',
      data: result,
    });
    return returnInfo.preOpGas;
  } catch {
    return undefined;
  }
}
