import type { Address, Hex } from 'viem';
import type { GasLimits, UserOperationWithGas } from '../../domain/user-operation.ts';
import { addressDigits, addressWord, hashBytes, uintDigits } from '../abi/hex-digits.ts';
import type { OperationToHash } from './entry-point.ts';

/** A user operation in the form of EntryPoint 0.7 and up (ERC-4337 `PackedUserOperation`). */
type PackedUserOperation = {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly initCode: Hex;
  readonly callData: Hex;
  /** `verificationGasLimit` (16 bytes) `‖ callGasLimit` (16 bytes). */
  readonly accountGasLimits: Hex;
  readonly preVerificationGas: bigint;
  /** `maxPriorityFeePerGas` (16 bytes) `‖ maxFeePerGas` (16 bytes). */
  readonly gasFees: Hex;
  readonly paymasterAndData: Hex;
  readonly signature: Hex;
};

/** The 0.7 form of an operation. Throws `RangeError` when a limit or fee needs more than 128 bits. */
export function packUserOperation(operation: UserOperationWithGas, paymasterAndData: Hex): PackedUserOperation {
  return {
    sender: operation.sender,
    nonce: operation.nonce,
    initCode: operation.initCode,
    callData: operation.callData,
    accountGasLimits: `0x${accountGasLimitsWord(operation)}`,
    preVerificationGas: operation.gas.preVerificationGas,
    gasFees: `0x${gasFeesWord(operation)}`,
    paymasterAndData,
    signature: operation.signature,
  };
}

/** `accountGasLimits` as one word of hex digits, without `0x`. */
export function accountGasLimitsWord({ gas }: UserOperationWithGas): string {
  return uintDigits(gas.verificationGasLimit, 16) + uintDigits(gas.callGasLimit, 16);
}

/** `gasFees` as one word of hex digits, without `0x`. */
export function gasFeesWord(operation: UserOperationWithGas): string {
  return uintDigits(operation.maxPriorityFeePerGas, 16) + uintDigits(operation.maxFeePerGas, 16);
}

/**
 * The first 52 bytes of `paymasterAndData` in 0.7 and up: `paymaster` (20) `‖ paymasterVerificationGasLimit` (16) `‖
 * paymasterPostOpGasLimit` (16). Hex digits without `0x`; the paymaster contract's own data follows.
 */
export function paymasterPrefix(paymaster: Address, gas: GasLimits): string {
  return (
    addressDigits(paymaster) +
    uintDigits(gas.paymasterVerificationGasLimit, 16) +
    uintDigits(gas.paymasterPostOpGasLimit, 16)
  );
}

/** The eight words of an operation that enter its hash, without `0x`. */
export function packedFields({ operation, paymasterAndData }: OperationToHash, initCodeHash: string): string {
  return (
    addressWord(operation.sender) +
    uintDigits(operation.nonce, 32) +
    initCodeHash +
    hashBytes(operation.callData) +
    accountGasLimitsWord(operation) +
    uintDigits(operation.gas.preVerificationGas, 32) +
    gasFeesWord(operation) +
    hashBytes(paymasterAndData)
  );
}
