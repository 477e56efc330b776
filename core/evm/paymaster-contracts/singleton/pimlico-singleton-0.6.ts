import type { Hex } from 'viem';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { addressDigits, addressWord, hashBytes, keccakDigits, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { PaymasterContract, PaymasterContractFamily, SignedTerms } from '../family/family.ts';
import { appendSignature, stubSignature } from '../family/signed-fields.ts';
import {
  maximumSingletonCharge,
  plainTerms,
  singletonData,
  singletonPreflight,
  singletonTokenPaymentEvents,
} from './singleton-terms.ts';

/**
 * Pimlico's SingletonPaymaster for EntryPoint 0.6: sponsors, or takes an ERC-20 token in postOp.
 *
 * `paymasterAndData = paymaster` (20) `‖` {@link singletonData} `‖ signature` (65): 98 bytes `SPONSORED`, 203 `ERC20`.
 *
 * EntryPoint 0.6 has no separate paymaster limits: validation gets what the account leaves of `verificationGasLimit`
 * (measured: 16,300 sponsored, 20,500 for tokens, 53,000 with 64 KiB of call data), and postOp may use
 * `verificationGasLimit` once more (25,900 with a plain token). Estimates must include both.
 */
export const pimlicoSingleton06: PaymasterContractFamily = {
  name: 'pimlico-singleton-0.6',
  entryPointVersion: '0.6',
  modes: ['SPONSORED', 'ERC20'],
  signatureExpiry: 'window',
  tokenPaymentEvents: singletonTokenPaymentEvents,
  // A postOp that reverts twice reverts the whole bundle.
  withoutPayment: 'not-carried',
  paymasterGasLimits: () => ({ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
  prepare(contract, operation, signedTerms) {
    const unsigned = unsignedDigits(contract, signedTerms);
    return { unsigned: `0x${unsigned}`, digest: digest(contract, operation, unsigned) };
  },
  assemble: appendSignature,
  stub: (contract, _operation, signedTerms) =>
    appendSignature(`0x${unsignedDigits(contract, signedTerms)}`, stubSignature),
  worstCase: requiredPrefund,
  maximumTokenCharge: maximumSingletonCharge,
  preflight: (contract, signer) => singletonPreflight(pimlicoSingleton06, contract, signer),
};

function unsignedDigits(contract: PaymasterContract, signedTerms: SignedTerms): string {
  return addressDigits(contract.address) + singletonData(contract, signedTerms, plainTerms);
}

/** The contract's `getHash(mode, userOp)`; note `callData` before `initCode`. */
function digest(contract: PaymasterContract, operation: UserOperationWithGas, unsigned: string): Hex {
  const { gas } = operation;
  const fields = keccakDigits(
    addressWord(operation.sender) +
      uintDigits(operation.nonce, 32) +
      uintDigits(gas.callGasLimit, 32) +
      uintDigits(gas.verificationGasLimit, 32) +
      uintDigits(gas.preVerificationGas, 32) +
      uintDigits(operation.maxFeePerGas, 32) +
      uintDigits(operation.maxPriorityFeePerGas, 32) +
      hashBytes(operation.callData) +
      hashBytes(operation.initCode) +
      keccakDigits(unsigned),
  );
  return `0x${keccakDigits(fields + uintDigits(contract.chainId, 32))}`;
}
