import type { GasLimits } from '../../domain/user-operation.ts';

/** What was measured of an operation: gas that validation, call and `postOp` use. */
export type UsedGas = { readonly validation: bigint; readonly execution: bigint; readonly postOp: bigint };

/**
 * What a chain that charges the gas limit of a transaction takes for limits that are not used (Monad), where they are our own
 * for what was measured. A bundler sends all limits, and a 63rd of those that the EntryPoint wants to have left when it calls
 * the account (AA95).
 *
 * Limits of a caller above our own do not count: nothing makes a bundler send the gas of a verification limit, and one that
 * bundles its own operations would be paid for gas that it leaves out.
 */
export function unusedLimits(own: GasLimits, used: UsedGas): bigint {
  const called = own.callGasLimit + own.paymasterPostOpGasLimit;
  const limits = called + own.verificationGasLimit + own.paymasterVerificationGasLimit;
  const unused = limits - used.validation - used.execution - used.postOp;
  return (unused > 0n ? unused : 0n) + (called + 62n) / 63n;
}
