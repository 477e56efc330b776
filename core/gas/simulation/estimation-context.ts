import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address, Hex } from 'viem';
import type { ChainConfig } from '../../domain/core-config.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../domain/user-operation.ts';
import { dummySignature } from '../../evm/account-codes/known-code.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { createFindSimulationCode, type FindSimulationCode } from './simulation-code.ts';

/** The parameters of every simulation. */
export type EstimationContext = {
  readonly client: ChainClient;
  readonly chainId: number;
  /** The bundler whose transaction is simulated, since some paymaster contracts check it. An unnamed bundler when absent. */
  readonly origin?: Address;
  readonly findCode: FindSimulationCode;
};

/** An operation as simulated: with limits, a signature and the paymaster's stub. */
export type SimulatedOperation = {
  readonly operation: UserOperationWithGas;
  readonly entryPoint: Address;
  readonly paymasterAndData: Hex;
};

/** Sets an operation's limits and adds the matching stub. */
export function withLimits(
  request: { operation: UserOperation; entryPoint: Address; stub(operation: UserOperationWithGas): Hex },
  gas: GasLimits,
): SimulatedOperation {
  const operation: UserOperationWithGas = { ...request.operation, gas };
  return { operation, entryPoint: request.entryPoint, paymasterAndData: request.stub(operation) };
}

/** The context of a chain's simulations: in a transaction of the first named bundler, if any. */
export function createEstimationContext(
  client: ChainClient,
  { chainId, bundlers, confirmations }: Pick<ChainConfig, 'chainId' | 'bundlers' | 'confirmations'>,
): EstimationContext {
  const findCode = createFindSimulationCode(client, confirmations);
  return { client, chainId, findCode, ...omitAbsent({ origin: bundlers?.[0] }) };
}

/** The operation with a signature for estimation: the client's own (often a dummy made for its account), or ours. */
export function withEstimationSignature<T extends UserOperation>(operation: T): T {
  return operation.signature === '0x' ? { ...operation, signature: dummySignature } : operation;
}
