import type { SeededRandom } from '../../support/arbitrary/seeded-random.ts';

/** Gas limits and prices of an operation, in gas and wei for a gas; an EntryPoint of version 0.6 has no paymaster limits. */
export type OperationGas = {
  readonly version: '0.6' | '0.7';
  readonly preVerificationGas: bigint;
  readonly verificationGasLimit: bigint;
  readonly callGasLimit: bigint;
  readonly paymasterVerificationGasLimit: bigint;
  readonly paymasterPostOpGasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

/** What a simulated EntryPoint takes from the contract's deposit before the operation runs, in wei. */
export function prefundOf(gas: OperationGas): bigint {
  const own = gas.preVerificationGas + gas.callGasLimit;
  const others =
    gas.version === '0.6'
      ? 3n * gas.verificationGasLimit
      : gas.verificationGasLimit + gas.paymasterVerificationGasLimit + gas.paymasterPostOpGasLimit;
  return (own + others) * gas.maxFeePerGas;
}

/**
 * Gas that an operation turns out to use: all that is asked for before it runs, and of each limit some, or all. From version
 * 0.7 on a tenth of what is left of the limits of call and postOp is paid as well.
 */
export function pickGasUsed(random: SeededRandom, gas: OperationGas): bigint {
  const some = (limit: bigint) => (limit * BigInt(random.pick([0, 30, 90, 100, 100]))) / 100n;
  const used = gas.preVerificationGas + some(gas.verificationGasLimit);
  const call = some(gas.callGasLimit);
  // After the call the contract has the same limit again, and once more when its work then reverts.
  if (gas.version === '0.6') return used + call + some(gas.verificationGasLimit) + some(gas.verificationGasLimit);
  const postOp = some(gas.paymasterPostOpGasLimit);
  const penalty = (gas.callGasLimit - call) / 10n + (gas.paymasterPostOpGasLimit - postOp) / 10n;
  return used + some(gas.paymasterVerificationGasLimit) + call + postOp + penalty;
}
