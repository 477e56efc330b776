import { concatHex, type Hex, size } from 'viem';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { addressDigits, addressWord, hashBytes, keccakDigits, uintDigits } from '../../abi/hex-digits.ts';
import { accountGasLimitsWord, gasFeesWord } from '../../entry-point/packed-user-operation.ts';
import type { PaymasterContract, PaymasterContractFamily, SignedTerms } from './family.ts';

/** Pads the signature to whole words. */
const padding: Hex = `0x${'00'.repeat(31)}`;

/**
 * `paymaster` (20) `‖ abi.encode(…words, bytes signature)` up to the first byte of the signature. `words` are the ABI words
 * (hex digits) before it; the signature's offset and length follow them.
 */
export function beforeAbiSignature(contract: PaymasterContract, words: string): Hex {
  const offsetOfSignature = words.length / 2 + 32;
  const signature = uintWord(offsetOfSignature, 32) + uintWord(signatureBytes, 32);
  return `0x${addressDigits(contract.address)}${words}${signature}`;
}

/** Appends the signature, padded to whole words. Throws `RangeError` unless it has 65 bytes. */
export function appendAbiSignature(unsigned: Hex, signature: Hex): Hex {
  return concatHex([appendSignature(unsigned, signature), padding]);
}

/**
 * A well-formed signature without a known key: 65 bytes without a zero byte, `r` on the curve, low `s`, v 28. For any
 * digest, `ecrecover` returns some address. So a contract takes the same path as with a real signature, and only fails at
 * the end because the address is not one of its signers.
 *
 * `r` and `s` are the first fitting hashes of a text, so no one knows the key.
 */
export const stubSignature: Hex =
  '0x7d6bee489afc5102664e27774ca5d3d5ddce446c3cc075d7100f7fbb39b8c8036b3e469b59020cbaba571a290f330967535052b171925edcc15eb19e4dccce591c';

const signatureBytes = 65;

/**
 * `paymasterAndData` of a contract that reads its signature from the last 65 bytes. Throws `RangeError` for a signature of
 * another length, which would shift the layout.
 */
export function appendSignature(unsigned: Hex, signature: Hex): Hex {
  if (size(signature) !== signatureBytes) throw new RangeError(`A paymaster signature has ${signatureBytes} bytes.`);
  return concatHex([unsigned, signature]);
}

type Form<Result> = (contract: PaymasterContract, operation: UserOperationWithGas, signedTerms: SignedTerms) => Result;

/**
 * How a family signs whose digest needs no state of the contract: `unsigned` is `paymasterAndData` before the signature,
 * `signed` the hex digits that the contract's `getHash` hashes.
 */
export function signing(
  unsigned: Form<Hex>,
  signed: Form<string>,
  assemble = appendSignature,
): Pick<PaymasterContractFamily, 'prepare' | 'assemble' | 'stub'> {
  return {
    prepare: (contract, operation, signedTerms) => ({
      unsigned: unsigned(contract, operation, signedTerms),
      digest: `0x${keccakDigits(signed(contract, operation, signedTerms))}`,
    }),
    assemble,
    stub: (contract, operation, signedTerms) => assemble(unsigned(contract, operation, signedTerms), stubSignature),
  };
}

/** An unsigned integer as one ABI word of hex digits. Throws `RangeError` when it does not fit `byteLength` bytes. */
export function uintWord(value: bigint | number, byteLength: number): string {
  return uintDigits(value, byteLength).padStart(64, '0');
}

/** A byte string in ABI encoding, as hex digits: its length and its bytes, padded to whole words. */
export function bytesDigits(bytes: Hex): string {
  const digits = bytes.slice(2);
  return uintWord(digits.length / 2, 32) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0');
}

/** `validUntil` and `validAfter` as two ABI words (both uint48). */
export function windowWords(signedTerms: SignedTerms): string {
  return uintWord(signedTerms.validUntil, 6) + uintWord(signedTerms.validAfter, 6);
}

/** `validUntil` and `validAfter` packed, six bytes each. */
export function packedWindow(signedTerms: SignedTerms): string {
  return uintDigits(signedTerms.validUntil, 6) + uintDigits(signedTerms.validAfter, 6);
}

/** The chain and the contract that a digest is bound to, as two ABI words. */
export function contractWords({ chainId, address }: PaymasterContract): string {
  return uintWord(chainId, 32) + addressWord(address);
}

/** The operation fields that every EntryPoint has, except paymaster and signature. */
type CommonFields = Pick<
  UserOperationWithGas,
  'sender' | 'nonce' | 'initCode' | 'callData' | 'maxFeePerGas' | 'maxPriorityFeePerGas'
> & { readonly gas: Pick<UserOperationWithGas['gas'], 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'> };

/** The five gas numbers of a 0.6 operation as ABI words, in the order of its struct. */
export function gasWords06({ gas, maxFeePerGas, maxPriorityFeePerGas }: CommonFields): string {
  return (
    uintWord(gas.callGasLimit, 32) +
    uintWord(gas.verificationGasLimit, 32) +
    uintWord(gas.preVerificationGas, 32) +
    uintWord(maxFeePerGas, 32) +
    uintWord(maxPriorityFeePerGas, 32)
  );
}

/** The nine words of a 0.6 operation that verifying paymasters hash, with hashes for `initCode` and `callData`. */
export function operationWords06(operation: CommonFields): string {
  return (
    addressWord(operation.sender) +
    uintWord(operation.nonce, 32) +
    hashBytes(operation.initCode) +
    hashBytes(operation.callData) +
    gasWords06(operation)
  );
}

/** The eight words of a 0.7 operation that verifying paymasters hash; the sixth has the paymaster's own two limits. */
export function operationWords07(operation: UserOperationWithGas): string {
  const { gas } = operation;
  return (
    addressWord(operation.sender) +
    uintWord(operation.nonce, 32) +
    hashBytes(operation.initCode) +
    hashBytes(operation.callData) +
    accountGasLimitsWord(operation) +
    uintDigits(gas.paymasterVerificationGasLimit, 16) +
    uintDigits(gas.paymasterPostOpGasLimit, 16) +
    uintWord(gas.preVerificationGas, 32) +
    gasFeesWord(operation)
  );
}
