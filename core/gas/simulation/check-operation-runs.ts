import type { Address, Hex } from 'viem';
import type { ChainConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { checkGasValues } from '../failures/check-gas-values.ts';
import { type RevertDetails, revertDetails } from '../failures/decode-failure.ts';
import { createEstimationContext } from './create-estimation-context.ts';
import { withEstimationSignature } from './dummy-signature.ts';
import { withLimits } from './estimation-context.ts';
import { chargedOverhead } from './estimation-limits.ts';
import { probeOperation } from './probe-operation.ts';
import { simulateHandling } from './simulate-handling.ts';

export type CheckRequest = {
  /** The operation with the limits it is going to have. */
  readonly operation: UserOperationWithGas;
  readonly entryPoint: Address;
  /** `paymasterAndData` with a stub signature. */
  stub(operation: UserOperationWithGas): Hex;
};

/** `success` is whether the operation's own call goes through; `revert` says in short why it does not. */
export type CheckResult = { readonly success: boolean } & Partial<RevertDetails>;

export type OperationCheck = {
  /**
   * Simulates an operation with limits that the caller gave. Refuses with `ESTIMATION_FAILED` when the EntryPoint does
   * not take it, with `CHAIN_UNAVAILABLE` when the node cannot be asked.
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
      const entryPoint = await context.entryPointCode(request.entryPoint);
      if (!entryPoint.ok) return entryPoint;
      const simulated = withLimits(
        { ...request, operation: withEstimationSignature(request.operation) },
        request.operation.gas,
      );
      const limits = {
        executionCeiling: request.operation.gas.callGasLimit,
        searchRounds: 0n,
        postOpRounds: 0n,
        chargedOverhead,
      };
      const [handling, probed] = await Promise.all([
        simulateHandling(context, simulated),
        probeOperation(context, simulated, entryPoint.value, limits),
      ]);
      if (!handling.ok) return handling;
      if (!handling.value.taken) return refuse(handling.value.refusal);
      if (!probed.ok) return probed;
      if (probed.value.executed) return accept({ success: true });
      return accept({ success: false, ...revertDetails(probed.value.revertData) });
    },
  };
}
