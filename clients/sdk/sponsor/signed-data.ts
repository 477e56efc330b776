import type { Address, Hex } from 'viem';
import {
  type Read,
  readAddress,
  readHex,
  readInteger,
  readObject,
  readOneOf,
  readOptional,
  readQuantityNumber,
  readQuantityText,
  readText,
} from './read-form.ts';

/** Signed paymaster data and the gas limits it was signed for (interface 2.5). Put both into the operation unchanged. */
export type SignedData<Mode extends 'SPONSORED' | 'ERC20' = 'SPONSORED' | 'ERC20'> = {
  readonly mode: Mode;
  /** For EntryPoint 0.6; for 0.7 and up the parts below, packed. */
  readonly paymasterAndData: Hex;
  readonly preVerificationGas: bigint;
  readonly verificationGasLimit: bigint;
  readonly callGasLimit: bigint;
  /** From EntryPoint 0.7 on. */
  readonly paymaster?: Address | undefined;
  readonly paymasterData?: Hex | undefined;
  readonly paymasterVerificationGasLimit?: bigint | undefined;
  readonly paymasterPostOpGasLimit?: bigint | undefined;
  /** Unix seconds until which the signature is valid; 281474976710655 if it has no end. */
  readonly validUntil: number;
  /** Identifies the decision, to ask the service's operator about it. */
  readonly decisionId: string;
};

function readSignedData<const Mode extends SignedData['mode']>(mode: Mode): Read<SignedData<Mode>> {
  return readObject<SignedData<Mode>>({
    mode: readOneOf(mode),
    paymasterAndData: readHex,
    preVerificationGas: readQuantityText,
    verificationGasLimit: readQuantityNumber,
    callGasLimit: readQuantityNumber,
    paymaster: readOptional(readAddress),
    paymasterData: readOptional(readHex),
    paymasterVerificationGasLimit: readOptional(readQuantityText),
    paymasterPostOpGasLimit: readOptional(readQuantityText),
    validUntil: readInteger,
    decisionId: readText,
  });
}

export const readSponsoredData = readSignedData('SPONSORED');
export const readTokenPaidData = readSignedData('ERC20');
