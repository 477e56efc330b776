import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../../domain/entry-point-version.ts';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { addressWord, hashBytes, keccakDigits, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import { accountGasLimitsWord, gasFeesWord, paymasterPrefix } from '../../entry-point/packed-user-operation.ts';
import type { PaymasterContract, PaymasterContractFamily, SignedTerms } from '../family/family.ts';
import { appendSignature, stubSignature } from '../family/signed-fields.ts';
import {
  advanceReserve,
  advanceTerms,
  emptyTokenRecipientGas,
  maximumSingletonCharge,
  mostSingletonAdvance,
  type SingletonTerms,
  singletonData,
  singletonGasLimits,
  singletonPreflight,
  singletonTokenPaymentEvents,
  stubTerms,
} from './singleton-terms.ts';

/**
 * Pimlico's SingletonPaymaster for the packed user operation of EntryPoint 0.7 and up.
 *
 * `paymasterAndData = paymaster` (20) `‖ paymasterVerificationGasLimit` (16) `‖ paymasterPostOpGasLimit` (16) `‖` {@link
 * singletonData} `‖ signature` (65): 130 bytes `SPONSORED`, 267 `ERC20`, with or without a part in advance.
 */
function createPackedSingleton(
  name: string,
  entryPointVersion: Exclude<EntryPointVersion, '0.6'>,
): PaymasterContractFamily {
  const family: PaymasterContractFamily = {
    name,
    entryPointVersion,
    modes: ['SPONSORED', 'ERC20'],
    signatureExpiry: 'window',
    tokenPaymentEvents: singletonTokenPaymentEvents,
    withoutPayment: 'carried',
    mostInAdvance: mostSingletonAdvance,
    advanceGas: advanceReserve,
    emptyTokenRecipientGas,
    paymasterGasLimits: singletonGasLimits,
    prepare(contract, operation, signedTerms) {
      const unsigned = unsignedDigits(contract, operation, signedTerms, advanceTerms);
      return { unsigned: `0x${unsigned}`, digest: digest(contract, operation, unsigned) };
    },
    assemble: appendSignature,
    stub: (contract, operation, signedTerms) =>
      appendSignature(`0x${unsignedDigits(contract, operation, signedTerms, stubTerms)}`, stubSignature),
    worstCase: requiredPrefund,
    maximumTokenCharge: maximumSingletonCharge,
    preflight: (contract, signer) => singletonPreflight(family, contract, signer),
  };
  return family;
}

function unsignedDigits(
  contract: PaymasterContract,
  operation: UserOperationWithGas,
  signedTerms: SignedTerms,
  terms: SingletonTerms,
): string {
  return paymasterPrefix(contract.address, operation.gas) + singletonData(contract, signedTerms, terms);
}

/** The contract's `getHash(mode, userOp)`; the paymaster's address and gas limits are inside the unsigned part. */
function digest(contract: PaymasterContract, operation: UserOperationWithGas, unsigned: string): Hex {
  const fields = keccakDigits(
    addressWord(operation.sender) +
      uintDigits(operation.nonce, 32) +
      accountGasLimitsWord(operation) +
      uintDigits(operation.gas.preVerificationGas, 32) +
      gasFeesWord(operation) +
      hashBytes(operation.initCode) +
      hashBytes(operation.callData) +
      keccakDigits(unsigned),
  );
  return `0x${keccakDigits(fields + uintDigits(contract.chainId, 32))}`;
}

/** Pimlico's SingletonPaymaster for EntryPoint 0.7. */
export const pimlicoSingleton07 = createPackedSingleton('pimlico-singleton-0.7', '0.7');

/**
 * Pimlico's SingletonPaymaster for EntryPoint 0.8, as published on npm (`@pimlico/mock-paymaster` 0.0.7): its digest is that
 * of 0.7. A later source also hashes the EIP-7702 delegate; such a contract would need its own family.
 */
export const pimlicoSingleton08 = createPackedSingleton('pimlico-singleton-0.8', '0.8');
