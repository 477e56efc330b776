import type { DevUserOperation } from './dev-user-operation.ts';

/** Gas of the EntryPoint around the operations, in addition to their own limits. */
const handleOpsOverhead = 2_000_000n;
/** Gas cap of one transaction (EIP-7825). */
const transactionGasCap = 16_777_216n;

/** Gas limit of the transaction that sends only this operation to the EntryPoint. */
export function bundleGas({ callGasLimit, verificationGasLimit, preVerificationGas }: DevUserOperation): bigint {
  const wanted = callGasLimit + verificationGasLimit * 3n + preVerificationGas + handleOpsOverhead;
  return wanted < transactionGasCap ? wanted : transactionGasCap;
}
