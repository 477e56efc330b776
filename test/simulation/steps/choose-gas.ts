import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { requiredPrefund } from '../../../core/evm/entry-point/entry-points.ts';
import type { OperationGas } from '../chain/operation-gas.ts';
import { entryPoints, type SimulatedContract } from '../world/world.ts';
import type { Simulation } from './simulation-state.ts';

/** Most that a client offers for a gas, in multiples of the least that one costs. */
const maxSteps = 6;

/** What a client asks for at the price of gas as it has seen it, which is another one when the operation lands. */
export function chooseGas({ random, chain, maxGas, gasPrice }: Simulation, contract: SimulatedContract): OperationGas {
  const seen = Number(chain.head().prices.baseFee / gasPrice);
  const steps = Math.min(maxSteps, Math.max(1, random.between(seen - 1, 2 * seen)));
  const limit = () => BigInt(random.between(0, maxGas));
  const isOlder = contract.entryPoint === entryPoints[0];
  return {
    version: isOlder ? '0.6' : '0.7',
    preVerificationGas: BigInt(random.between(1, maxGas)),
    verificationGasLimit: limit(),
    callGasLimit: limit(),
    paymasterVerificationGasLimit: isOlder ? 0n : limit(),
    paymasterPostOpGasLimit: isOlder ? 0n : limit(),
    maxFeePerGas: BigInt(steps) * gasPrice,
    maxPriorityFeePerGas: BigInt(random.below(steps + 1)) * gasPrice,
  };
}

/** Gas that costs an amount, wherever it lands. */
export function gasFor(contract: SimulatedContract, amount: bigint): OperationGas {
  const limits = {
    verificationGasLimit: 0n,
    callGasLimit: 0n,
    paymasterVerificationGasLimit: 0n,
    paymasterPostOpGasLimit: 0n,
  };
  const version = contract.entryPoint === entryPoints[0] ? '0.6' : '0.7';
  return { ...limits, version, preVerificationGas: amount, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
}

/** The worst case that the service holds for an operation, in wei. */
export function worstCase({ version, maxFeePerGas, maxPriorityFeePerGas, ...gas }: OperationGas): bigint {
  // Nothing else of an operation makes its prefund.
  return requiredPrefund({
    entryPointVersion: version,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
  } as UserOperationWithGas);
}
