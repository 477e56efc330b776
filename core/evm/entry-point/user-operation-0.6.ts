import type { Address, Hex } from 'viem';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';

/** A user operation as EntryPoint 0.6 takes it (ERC-4337 `UserOperation`). */
export type UserOperation06 = {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly callGasLimit: bigint;
  readonly verificationGasLimit: bigint;
  readonly preVerificationGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly paymasterAndData: Hex;
  readonly signature: Hex;
};

/** The 0.6 form of an operation. */
export function toUserOperation06(operation: UserOperationWithGas, paymasterAndData: Hex): UserOperation06 {
  return {
    sender: operation.sender,
    nonce: operation.nonce,
    initCode: operation.initCode,
    callData: operation.callData,
    callGasLimit: operation.gas.callGasLimit,
    verificationGasLimit: operation.gas.verificationGasLimit,
    preVerificationGas: operation.gas.preVerificationGas,
    maxFeePerGas: operation.maxFeePerGas,
    maxPriorityFeePerGas: operation.maxPriorityFeePerGas,
    paymasterAndData,
    signature: operation.signature,
  };
}
