import type { Address, Hex } from 'viem';
import type { ChainConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../domain/user-operation.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { nodeGasExceeded } from '../../node/node-error.ts';
import { explainFailure, type RevertDetails, revertDetails } from '../failures/decode-failure.ts';
import {
  createEstimationContext,
  type EstimationContext,
  type SimulatedOperation,
  withEstimationSignature,
  withLimits,
} from './estimation-context.ts';
import { type Measurement, measureOperation } from './measure-operation.ts';
import type { MeasurementPlan } from './plan-measurement.ts';
import type { SimulationCode } from './simulation-code.ts';

/** The largest fee or limit that an EntryPoint accepts. */
const maxGasValue = (1n << 120n) - 1n;

/** Refuses what the EntryPoint would refuse as `AA94`, before packing into fields that cannot hold it. */
export function checkGasValues(operation: UserOperation & { readonly gas?: GasLimits }): Result<void> {
  const { maxFeePerGas, maxPriorityFeePerGas, gas, entryPointVersion } = operation;
  const values = [maxFeePerGas, maxPriorityFeePerGas, ...Object.values(gas ?? {})];
  if (values.every((value) => value <= maxGasValue)) return accept(undefined);
  return refuse(explainFailure('AA94', entryPointVersion).refusal);
}

export type CheckRequest = {
  /** The operation with its final limits. */
  readonly operation: UserOperationWithGas;
  readonly entryPoint: Address;
  /** `paymasterAndData` with a stub signature. */
  stub(operation: UserOperationWithGas): Hex;
};

/** `success`: whether the operation's own call succeeds; `revert`: a short description if it does not. */
export type CheckResult = { readonly success: boolean } & Partial<RevertDetails>;

export type OperationCheck = {
  /**
   * Simulates an operation with limits given by the caller. Refuses with `ESTIMATION_FAILED` when the EntryPoint rejects it,
   * with `CHAIN_UNAVAILABLE` when the node does not answer.
   */
  simulate(request: CheckRequest): Promise<Result<CheckResult>>;
};

/** A check by simulation on the chain's nodes. */
export function createOperationCheck(options: { client: ChainClient; config: ChainConfig }): OperationCheck {
  const { client, config } = options;
  const context = createEstimationContext(client, config);
  return {
    async simulate(request) {
      const inRange = checkGasValues(request.operation);
      if (!inRange.ok) return inRange;
      const code = await context.findCode(request.entryPoint, request.operation.entryPointVersion);
      if (!code.ok) return code;
      const simulated = withLimits(
        { ...request, operation: withEstimationSignature(request.operation) },
        request.operation.gas,
      );
      const { gas } = request.operation;
      const plan = { executionCeiling: gas.callGasLimit, searchRounds: 0n, postOpRounds: 0n, given: gas };
      const measured = await tryOperation(context, simulated, code.value, plan);
      if (!measured.ok) return measured;
      const { given, probed } = measured.value;
      if (given === undefined) return refuse(nodeGasExceeded);
      if (!given.handling.taken) return refuse(given.handling.refusal);
      if (probed.executed) return accept({ success: true });
      return accept({ success: false, ...revertDetails(probed.revertData) });
    },
  };
}

/**
 * Has the EntryPoint handle an operation with given limits and runs its steps, in one `eth_call`, or in two if it is too
 * heavy for one.
 */
export async function tryOperation(
  context: EstimationContext,
  simulated: SimulatedOperation,
  code: SimulationCode,
  plan: MeasurementPlan,
): Promise<Result<Measurement>> {
  const tried = await measureOperation(context, simulated, code, plan);
  if (!tried.ok || !tried.value.probed.validated || tried.value.probed.searched) return tried;
  const { given: _, ...steps } = plan;
  const run = await measureOperation(context, simulated, code, steps);
  return run.ok ? accept({ ...tried.value, probed: run.value.probed }) : run;
}
