import type { Address, Hex } from 'viem';
import type { GetPaymasterDataParameters, GetPaymasterStubDataParameters } from 'viem/account-abstraction';
import {
  chainIdHex,
  readAddress,
  readHex,
  readInteger,
  readObject,
  readOptional,
  readQuantityText,
} from './read-form.ts';
import { toWireUserOperation } from './user-operation-request.ts';

/** The fields for EntryPoint 0.6. */
export type PaymasterFields06 = { readonly paymasterAndData: Hex };

/** The fields for EntryPoint 0.7 and up. Limits in gas. */
export type PaymasterFields07 = {
  readonly paymaster: Address;
  readonly paymasterData: Hex;
  /** With `parallelSigning` (EntryPoint 0.9): the part that bundlers append and the account does not sign. */
  readonly paymasterSignature?: Hex | undefined;
  readonly paymasterVerificationGasLimit: bigint;
  readonly paymasterPostOpGasLimit: bigint;
};

/** The end of a signature. */
export type Validity = {
  /** Unix seconds until which the signature is valid; 281474976710655 if it has no end. */
  readonly validUntil: number;
};

/** Gas limits of an operation, if the service estimated or raised them. */
export type EstimatedGasLimits = {
  readonly callGasLimit?: bigint | undefined;
  readonly verificationGasLimit?: bigint | undefined;
  readonly preVerificationGas?: bigint | undefined;
};

export const paymasterFields06 = { paymasterAndData: readHex } as const;

export const paymasterFields07 = {
  paymaster: readAddress,
  paymasterData: readHex,
  paymasterSignature: readOptional(readHex),
  paymasterVerificationGasLimit: readQuantityText,
  paymasterPostOpGasLimit: readQuantityText,
} as const;

export const estimatedGasLimits = {
  callGasLimit: readOptional(readQuantityText),
  verificationGasLimit: readOptional(readQuantityText),
  preVerificationGas: readOptional(readQuantityText),
} as const;

export const readPaymasterData06 = readObject<PaymasterFields06 & EstimatedGasLimits & Validity>({
  ...paymasterFields06,
  ...estimatedGasLimits,
  validUntil: readInteger,
});

export const readPaymasterData07 = readObject<PaymasterFields07 & EstimatedGasLimits & Validity>({
  ...paymasterFields07,
  ...estimatedGasLimits,
  validUntil: readInteger,
});

/** Params of both ERC-7677 methods, with only the API's fields of the operation. */
export function paymasterDataParams(
  parameters: GetPaymasterStubDataParameters | GetPaymasterDataParameters,
): readonly unknown[] {
  const { chainId, entryPointAddress, context, ...userOperation } = parameters;
  return [toWireUserOperation(userOperation), entryPointAddress, chainIdHex(chainId), context];
}
