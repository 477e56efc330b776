import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from './entry-point-version.ts';

/**
 * A user operation as a client sent it: every field optional, numbers as hex (leading zeros allowed, `0x` for absent)
 * or decimal text. Fields of EntryPoint 0.6 (`initCode`, `paymasterAndData`) and of 0.7 and up (`factory`, …) side by
 * side; which are present decides the form.
 */
export type RawUserOperation = {
  readonly sender?: string;
  readonly nonce?: string;
  readonly initCode?: string;
  readonly factory?: string;
  readonly factoryData?: string;
  readonly callData?: string;
  readonly callGasLimit?: string;
  readonly verificationGasLimit?: string;
  readonly preVerificationGas?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly paymasterAndData?: string;
  readonly paymaster?: string;
  readonly paymasterData?: string;
  readonly paymasterVerificationGasLimit?: string;
  readonly paymasterPostOpGasLimit?: string;
  readonly signature?: string;
};

/** Gas limits of a user operation, in gas. The two paymaster limits are 0 for EntryPoint 0.6, which has none. */
export type GasLimits = {
  readonly callGasLimit: bigint;
  readonly verificationGasLimit: bigint;
  readonly preVerificationGas: bigint;
  readonly paymasterVerificationGasLimit: bigint;
  readonly paymasterPostOpGasLimit: bigint;
};

/**
 * A user operation read strictly, without paymaster data. `initCode` is `factory ‖ factoryData` (`0x` when the account
 * is deployed), in every version. Fees are wei per gas. `signature` is whatever the client sent, often a dummy.
 */
export type UserOperation = {
  readonly entryPointVersion: EntryPointVersion;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly signature: Hex;
};

/** A user operation with the gas limits that are going to be signed. */
export type UserOperationWithGas = UserOperation & { readonly gas: GasLimits };
