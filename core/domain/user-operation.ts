import * as api from '@tollfree/contract/rpc/user-operation';
import type { Address, Hex } from 'viem';
import type { z } from 'zod';
import { textsOfApi } from '../base/fields-of-api.ts';
import { amount, message } from '../base/message-schema.ts';
import type { EntryPointVersion } from './entry-point-version.ts';

/**
 * How a bundler packs the EIP-7702 marker `0x7702` of an operation's factory field. `as-sent`: in the two or twenty bytes of
 * the request, like viem and alto, and in twenty if `factoryData` follows it. `padded`: always in twenty. The EntryPoint
 * accepts both and hashes the delegate instead; a paymaster contract hashes the bytes.
 */
export const eip7702MarkerForms = ['as-sent', 'padded'] as const;
export type Eip7702MarkerForm = (typeof eip7702MarkerForms)[number];

/**
 * An EIP-7702 authorization as a client sent it, with numbers as in {@link RawUserOperation}; often with a placeholder
 * signature.
 */
const RawEip7702AuthorizationSchema = message('RawEip7702Authorization', textsOfApi(api.Eip7702AuthorizationSchema));
export type RawEip7702Authorization = z.output<typeof RawEip7702AuthorizationSchema>;

/**
 * An ERC-4337 user operation as a client sent it. Every field may be absent; numbers are hex (leading zeros allowed, `0x`
 * for absent) or decimal text. It has the fields of EntryPoint 0.6 (`init_code`, `paymaster_and_data`) and of 0.7 and up
 * (`factory`, …); the fields that are present determine the form.
 */
export const RawUserOperationSchema = message('RawUserOperation', {
  ...textsOfApi(api.BundledUserOperationSchema),
  /** The sender's permission to give it the code of another contract. */
  eip7702Auth: RawEip7702AuthorizationSchema.exactOptional(),
});
export type RawUserOperation = z.output<typeof RawUserOperationSchema>;

/**
 * The sender's permission to give its address the code of another contract (EIP-7702), carried by the bundler's transaction.
 * Its form has been checked but its signature has not, since clients use a placeholder until they send. An invalid one keeps
 * the operation from landing, which costs the bundler something and the sponsor nothing.
 */
export type Eip7702Authorization = {
  /** The contract whose code the sender will have. The zero address removes its code, and is in no operation. */
  readonly address: Address;
  /** 0 for every chain. */
  readonly chainId: bigint;
  /** Of the sender as an externally owned account. */
  readonly nonce: bigint;
  readonly r: bigint;
  readonly s: bigint;
  readonly yParity: 0 | 1;
};

/**
 * Gas limits of a user operation, in gas.
 */
export const GasLimitsSchema = message('GasLimits', {
  callGasLimit: amount,
  /** For deploying and validating the account. */
  verificationGasLimit: amount,
  /** For what the EntryPoint cannot measure. */
  preVerificationGas: amount,
  /** For validating the paymaster; `"0"` with EntryPoint 0.6. */
  paymasterVerificationGasLimit: amount,
  /** For the paymaster's postOp; `"0"` with EntryPoint 0.6. */
  paymasterPostOpGasLimit: amount,
});
export type GasLimits = z.output<typeof GasLimitsSchema>;

export const gasLimitNames = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const satisfies readonly (keyof GasLimits)[];

export const noGas = Object.fromEntries(gasLimitNames.map((name) => [name, 0n])) as GasLimits;

/**
 * A user operation read strictly, without paymaster data. `initCode` is `factory ‖ factoryData` (`0x` when the account is
 * deployed), in every version; from 0.8 on `factory` may be the EIP-7702 marker, in two bytes or padded to the size of an
 * address, as the bundler will pack it. Fees are wei per gas. `signature` is whatever the client sent, often a dummy.
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
   * The contract whose code the sender runs (EIP-7702). Always known for an operation with the marker or an authorization.
   * EntryPoint 0.8 hashes it instead of the marker, so the account's signature covers it; a paymaster contract hashes the
   * plain `initCode`, so its signature does not. The zero address for an authorization that removes the delegate.
   */
  readonly eip7702Delegate?: Address;
  /** The sender's current delegate, if its authorization would replace it. The bundler may omit the authorization. */
  readonly eip7702Replaces?: Address;
  /** The bundler is paid for the authorization: the sender has no code, and no other open signed operation sets its code. */
  readonly paysAuthorization?: true;
  /** An authorization is sent although the sender delegates already: its bundle may carry it, and then pays for it. */
  readonly repeatsAuthorization?: true;
  /**
   * The sender does not exist yet: it has no balance, nonce or code. An authorization then costs more from Glamsterdam on.
   */
  readonly isFreshSender?: true;
  /** Bytes of `callData` that the bundler is not paid for: an attribution suffix (ERC-8021). None when absent. */
  readonly unpaidBytes?: number;
};

/** A user operation with the gas limits that will be signed. */
export type UserOperationWithGas = UserOperation & { readonly gas: GasLimits };
