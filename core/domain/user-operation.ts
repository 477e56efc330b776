import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from './entry-point-version.ts';

/**
 * An EIP-7702 authorization as a client sent it, numbers as in {@link RawUserOperation}; often with a placeholder
 * signature.
 */
export type RawEip7702Authorization = {
  readonly address?: string;
  readonly chainId?: string;
  readonly nonce?: string;
  readonly r?: string;
  readonly s?: string;
  readonly yParity?: string;
};

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
  /** Of EntryPoint 0.9: not part of what the account signs, and not in `paymasterData` then. */
  readonly paymasterSignature?: string;
  readonly signature?: string;
  readonly eip7702Auth?: RawEip7702Authorization;
};

/**
 * The sender's permission to give its address the code of another contract (EIP-7702), which the bundler's
 * transaction carries. Its form has been checked and its signature has not: clients put a placeholder there until they
 * send. One that is no good keeps the operation from landing, which costs the bundler something and the sponsor
 * nothing.
 */
export type Eip7702Authorization = {
  /** The contract whose code the sender is going to have, never the zero address. */
  readonly address: Address;
  /** 0 for every chain. */
  readonly chainId: bigint;
  /** Of the sender as an externally owned account. */
  readonly nonce: bigint;
  readonly r: bigint;
  readonly s: bigint;
  readonly yParity: 0 | 1;
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
 * A user operation read strictly, without paymaster data. `initCode` is `factory ‖ factoryData` (`0x` when the
 * account is deployed), in every version; from 0.8 on `factory` may be the EIP-7702 marker, in two bytes or padded to
 * the size of an address, as the bundler is going to pack it. Fees are wei per gas. `signature` is whatever the client
 * sent, often a dummy.
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
  readonly eip7702Auth?: Eip7702Authorization;
  /**
   * The contract whose code the sender runs (EIP-7702). Always known of an operation with the marker or an
   * authorization. EntryPoint 0.8 hashes it instead of the marker, so the account's signature binds it; a paymaster
   * contract hashes `initCode` as it is and does not.
   */
  readonly eip7702Delegate?: Address;
  /**
   * Whose code the sender runs now, where its authorization would replace that. The bundler may leave the authorization
   * out.
   */
  readonly eip7702Replaces?: Address;
  /**
   * The bundler is paid for the authorization: the sender has no code, and no other operation that gives it some is
   * signed and open.
   */
  readonly paysAuthorization?: true;
  /**
   * The sender is no account yet: it has no balance, nonce or code. An authorization then costs more from Glamsterdam
   * on.
   */
  readonly isFreshSender?: true;
  /**
   * Bytes of `callData` that the bundler is not paid for: a suffix that attributes the operation (ERC-8021). None when
   * absent.
   */
  readonly unpaidBytes?: number;
};

/** A user operation with the gas limits that are going to be signed. */
export type UserOperationWithGas = UserOperation & { readonly gas: GasLimits };
