import type { Hex } from 'viem';
import type { UserOperationWithGas } from '../domain/user-operation.ts';
import { addressWord, keccakDigits, uintDigits } from '../entry-point/hex-digits.ts';
import { accountGasLimitsWord, gasFeesWord, paymasterPrefix } from '../entry-point/packed-user-operation.ts';
import { requiredPrefund } from '../entry-point/required-prefund.ts';
import { appendSignature } from './append-signature.ts';
import type { Grant, PaymasterContract, PaymasterContractFamily } from './family.ts';
import { stubSignature } from './stub-signature.ts';

/**
 * Gas for its validation. The contract hashes call data and initCode: the least that passes was measured as 17,500 for a
 * transfer and 56,300 for 64 KiB, the most that is accepted. What is not used costs nothing.
 */
const verificationGasLimit = 70_000n;

/** Hex digits of an address, before the two gas limits that share one word of the digest. */
const addressEnd = 40;
const gasLimitsEnd = 104;

/**
 * eth-infinitism's VerifyingPaymaster for EntryPoint 0.7: sponsors only, has one immutable signer and no postOp.
 *
 * `paymasterAndData = paymaster` (20) `‖ paymasterVerificationGasLimit` (16) `‖ paymasterPostOpGasLimit` (16) `‖
 * validUntil` (32) `‖ validAfter` (32) `‖ signature` (65): 181 bytes.
 */
export const verifyingPaymaster07: PaymasterContractFamily = {
  name: 'verifying-paymaster-0.7',
  entryPointVersion: '0.7',
  modes: ['SPONSORED'],
  paymasterGasLimits: () => ({ paymasterVerificationGasLimit: verificationGasLimit, paymasterPostOpGasLimit: 0n }),
  prepare(contract, operation, grant) {
    const unsigned = unsignedDigits(contract, operation, grant);
    return { unsigned: `0x${unsigned}`, digest: digest(contract, operation, unsigned) };
  },
  assemble: appendSignature,
  stub: (contract, operation, grant) =>
    appendSignature(`0x${unsignedDigits(contract, operation, grant)}`, stubSignature),
  worstCase: requiredPrefund,
  maximumTokenCharge: () => 0n,
};

function unsignedDigits(contract: PaymasterContract, operation: UserOperationWithGas, grant: Grant): string {
  if (grant.mode !== 'SPONSORED') throw new TypeError('This paymaster contract takes no tokens.');
  const window = uintDigits(grant.validUntil, 6).padStart(64, '0') + uintDigits(grant.validAfter, 6).padStart(64, '0');
  return paymasterPrefix(contract.address, operation.gas) + window;
}

/** The contract's `getHash(userOp, validUntil, validAfter)`. */
function digest(contract: PaymasterContract, operation: UserOperationWithGas, unsigned: string): Hex {
  return `0x${keccakDigits(
    addressWord(operation.sender) +
      uintDigits(operation.nonce, 32) +
      keccakDigits(operation.initCode.slice(2)) +
      keccakDigits(operation.callData.slice(2)) +
      accountGasLimitsWord(operation) +
      unsigned.slice(addressEnd, gasLimitsEnd) +
      uintDigits(operation.gas.preVerificationGas, 32) +
      gasFeesWord(operation) +
      uintDigits(contract.chainId, 32) +
      addressWord(contract.address) +
      unsigned.slice(gasLimitsEnd),
  )}`;
}
