import { type Address, concatHex, type Hex } from 'viem';
import type { UserOperationWithGas } from '../../domain/user-operation.ts';
import { eip7702Marker, isEip7702InitCode } from './eip7702-init-code.ts';
import { addressDigits, addressWord, keccakDigits, uintDigits } from './hex-digits.ts';
import { accountGasLimitsWord, gasFeesWord } from './packed-user-operation.ts';
import { paymasterSignatureMark, splitPaymasterSignature } from './paymaster-signature.ts';

/** What an operation is hashed with: the final `paymasterAndData` and where it is going to be executed. */
export type UserOperationHashInput = {
  readonly operation: UserOperationWithGas;
  readonly paymasterAndData: Hex;
  readonly entryPoint: Address;
  readonly chainId: number;
};

/** Hash of EntryPoint 0.8's `PACKED_USEROP_TYPEHASH` text. */
const packedUserOperationTypeHash = keccakOfText(
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,' +
    'uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
);
const domainTypeHash = keccakOfText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const domainName = keccakOfText('ERC4337');
const domainVersion = keccakOfText('1');

/**
 * The userOpHash that the EntryPoint of the operation's version computes (`getUserOpHash`), by which its events name
 * the operation. The account's signature is not part of it. 0.6 and 0.7 hash the packed fields with the EntryPoint's
 * address and the chain id; 0.8 makes it EIP-712 typed data. 0.9 does the same, and puts the mark alone instead of a
 * signature of the paymaster's that `paymasterAndData` ends in.
 *
 * From 0.8 on the delegate stands instead of the EIP-7702 marker in `initCode` (`Eip7702Support`); throws `TypeError`
 * when the operation has the marker and its `eip7702Delegate` is missing.
 */
export function userOperationHash(input: UserOperationHashInput): Hex {
  switch (input.operation.entryPointVersion) {
    case '0.6':
      return hashWithPlace(hash06(input), input);
    case '0.7':
      return hashWithPlace(keccakDigits(packedFields(input, hashBytes(input.operation.initCode))), input);
    case '0.8':
      return hash08(input);
    case '0.9':
      return hash08({ ...input, paymasterAndData: withoutPaymasterSignature(input.paymasterAndData) });
  }
}

function hash06({ operation, paymasterAndData }: UserOperationHashInput): string {
  const { gas } = operation;
  return keccakDigits(
    addressWord(operation.sender) +
      uintDigits(operation.nonce, 32) +
      hashBytes(operation.initCode) +
      hashBytes(operation.callData) +
      uintDigits(gas.callGasLimit, 32) +
      uintDigits(gas.verificationGasLimit, 32) +
      uintDigits(gas.preVerificationGas, 32) +
      uintDigits(operation.maxFeePerGas, 32) +
      uintDigits(operation.maxPriorityFeePerGas, 32) +
      hashBytes(paymasterAndData),
  );
}

function hash08(input: UserOperationHashInput): Hex {
  const domain = keccakDigits(
    domainTypeHash + domainName + domainVersion + uintDigits(input.chainId, 32) + addressWord(input.entryPoint),
  );
  const message = keccakDigits(packedUserOperationTypeHash + packedFields(input, hashInitCode08(input)));
  return `0x${keccakDigits(`1901${domain}${message}`)}`;
}

function withoutPaymasterSignature(paymasterAndData: Hex): Hex {
  const split = splitPaymasterSignature(paymasterAndData);
  return split === undefined ? paymasterAndData : concatHex([split.signed, paymasterSignatureMark]);
}

function hashInitCode08({ operation: { initCode, eip7702Delegate } }: UserOperationHashInput): string {
  if (!isEip7702InitCode(initCode)) return hashBytes(initCode);
  if (eip7702Delegate === undefined) {
    throw new TypeError('Operations with the EIP-7702 marker can be hashed only if the sender’s delegate is known.');
  }
  return keccakDigits(addressDigits(eip7702Delegate) + initCode.slice(eip7702Marker.length));
}

/** The eight words that 0.7 and up hash. */
function packedFields({ operation, paymasterAndData }: UserOperationHashInput, initCodeHash: string): string {
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

function hashWithPlace(fieldsHash: string, { entryPoint, chainId }: UserOperationHashInput): Hex {
  return `0x${keccakDigits(fieldsHash + addressWord(entryPoint) + uintDigits(chainId, 32))}`;
}

function hashBytes(bytes: Hex): string {
  return keccakDigits(bytes.slice(2));
}

function keccakOfText(text: string): string {
  return keccakDigits(Buffer.from(text).toString('hex'));
}
