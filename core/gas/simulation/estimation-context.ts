import type { Address, Hex } from 'viem';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../domain/user-operation.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { FindSimulationCode } from './simulation-code.ts';

/** What every simulation is run with. */
export type EstimationContext = {
  readonly client: ChainClient;
  readonly chainId: number;
  /** Whose transaction it is that the operation is tried in: some paymaster contracts look at it. Of an unnamed bundler when absent. */
  readonly origin?: Address;
  readonly findCode: FindSimulationCode;
};

/** An operation as it is simulated: with limits, a signature and the paymaster's stub. */
export type SimulatedOperation = {
  readonly operation: UserOperationWithGas;
  readonly entryPoint: Address;
  readonly paymasterAndData: Hex;
};

/** Puts limits on an operation and asks for the stub that goes with them. */
export function withLimits(
  request: { operation: UserOperation; entryPoint: Address; stub(operation: UserOperationWithGas): Hex },
  gas: GasLimits,
): SimulatedOperation {
  const operation: UserOperationWithGas = { ...request.operation, gas };
  return { operation, entryPoint: request.entryPoint, paymasterAndData: request.stub(operation) };
}
