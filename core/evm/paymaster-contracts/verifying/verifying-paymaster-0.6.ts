import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { addressDigits, addressWord, keccakDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { PaymasterContract, PaymasterContractFamily, SignedTerms } from '../family/family.ts';
import { fixedSigner, hashCheck, sampleSponsored, typedWindow, verifyingSignerCheck } from '../family/preflight.ts';
import {
  appendSignature,
  bytesDigits,
  contractWords,
  gasWords06,
  stubSignature,
  uintWord,
  windowWords,
} from '../family/signed-fields.ts';
import { sponsored } from '../family/terms.ts';

const senderNonceAbi = parseAbi(['function senderNonce(address sender) view returns (uint256)']);

/** The 149 bytes of `paymasterAndData`, rounded up to whole words. */
const paddedPaymasterAndData = 160;
/** Eleven words of an operation: seven for numbers and the sender, four offsets of byte strings. */
const headBytes = 11 * 32;

/**
 * eth-infinitism's VerifyingPaymaster for EntryPoint 0.6: sponsors only, has one immutable signer and no postOp.
 *
 * `paymasterAndData = paymaster` (20) `‖ validUntil` (32) `‖ validAfter` (32) `‖ signature` (65): 149 bytes.
 *
 * The contract counts each sender's operations (`senderNonce`) and includes the count in the digest. The signature uses the
 * count read from the chain, so each sender can have one outstanding operation. If two are signed, the second signature
 * fails once the first operation lands; this costs nothing, but the client must request again. Bundlers only accept a
 * contract that writes storage in validation when it is staked (ERC-7562).
 */
export const verifyingPaymaster06: PaymasterContractFamily = {
  name: 'verifying-paymaster-0.6',
  entryPointVersion: '0.6',
  modes: ['SPONSORED'],
  signatureExpiry: 'window',
  paymasterGasLimits: () => ({ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
  stateData: ({ sender }) => encodeFunctionData({ abi: senderNonceAbi, args: [sender] }),
  prepare(contract, operation, signedTerms, state) {
    if (state === undefined) throw new TypeError('The digest of this contract needs the senderNonce.');
    return {
      unsigned: `0x${unsignedDigits(contract, signedTerms)}`,
      digest: `0x${keccakDigits(signedDigits(contract, operation, signedTerms, state))}`,
    };
  },
  assemble: appendSignature,
  stub: (contract, _operation, signedTerms) =>
    appendSignature(`0x${unsignedDigits(contract, signedTerms)}`, stubSignature),
  worstCase: requiredPrefund,
  maximumTokenCharge: () => 0n,
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, fixedSigner),
    // No account has the sample's address, so its count is 0.
    hashCheck(verifyingPaymaster06, contract, sampleSponsored, typedWindow, { state: '0x0' }),
  ],
};

function unsignedDigits(contract: PaymasterContract, signedTerms: SignedTerms): string {
  return addressDigits(contract.address) + windowWords(sponsored(signedTerms));
}

/**
 * The data that the contract's `getHash(userOp, validUntil, validAfter)` hashes: the ABI encoding of `(bytes pack, chainId,
 * paymaster, senderNonce, validUntil, validAfter)`.
 */
function signedDigits(
  contract: PaymasterContract,
  operation: UserOperationWithGas,
  signedTerms: SignedTerms,
  senderNonce: Hex,
): string {
  const pack = packDigits(operation);
  const offsetOfPack = uintWord(6 * 32, 32);
  const head = offsetOfPack + contractWords(contract) + uintWord(BigInt(senderNonce), 32) + windowWords(signedTerms);
  return head + uintWord(pack.length / 2, 32) + pack;
}

/**
 * The contract's `pack(userOp)`: the operation as ABI call data up to the length word of `paymasterAndData`. It includes the
 * offsets of the last two byte strings, and so the length of `paymasterAndData`, but not its content.
 */
function packDigits(operation: UserOperationWithGas): string {
  const initCode = bytesDigits(operation.initCode);
  const callData = bytesDigits(operation.callData);
  const offsetOfCallData = headBytes + initCode.length / 2;
  const offsetOfPaymasterAndData = offsetOfCallData + callData.length / 2;
  const offsetOfSignature = offsetOfPaymasterAndData + 32 + paddedPaymasterAndData;
  return (
    addressWord(operation.sender) +
    uintWord(operation.nonce, 32) +
    uintWord(headBytes, 32) +
    uintWord(offsetOfCallData, 32) +
    gasWords06(operation) +
    uintWord(offsetOfPaymasterAndData, 32) +
    uintWord(offsetOfSignature, 32) +
    initCode +
    callData
  );
}
