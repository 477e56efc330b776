import type { UnitPrices } from '../../../domain/unit-prices.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import { paymasterPrefix } from '../../entry-point/packed-user-operation.ts';
import type { PaymasterContractFamily } from '../family/family.ts';
import { fixedSigner, hashCheck, sampleSponsored, typedWindow, verifyingSignerCheck } from '../family/preflight.ts';
import { contractWords, operationWords07, signing, windowWords } from '../family/signed-fields.ts';
import { sponsored } from '../family/terms.ts';
import { unusedPostOpGas, validationGasLimit } from '../family/validation-gas.ts';

/**
 * Gas of validation without data: the EntryPoint takes the prefund from the contract's deposit, and calls it for the first
 * time. The lowest passing limits, measured with mainnet's prices: 17,500 for a transfer, 56,300 for 64 KiB.
 */
const validationGas = ({ changedSlot, coldAccount }: UnitPrices): bigint => changedSlot + coldAccount + 9_800n;

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
  signatureExpiry: 'window',
  paymasterGasLimits: (_mode, prices, operation) => ({
    paymasterVerificationGasLimit: validationGasLimit(validationGas(prices), operation),
    paymasterPostOpGasLimit: unusedPostOpGas,
  }),
  ...signing(
    (contract, operation, signedTerms) =>
      `0x${paymasterPrefix(contract.address, operation.gas)}${windowWords(sponsored(signedTerms))}`,
    // The contract's `getHash(userOp, validUntil, validAfter)`.
    (contract, operation, signedTerms) =>
      operationWords07(operation) + contractWords(contract) + windowWords(signedTerms),
  ),
  worstCase: requiredPrefund,
  maximumTokenCharge: () => 0n,
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, fixedSigner),
    hashCheck(verifyingPaymaster07, contract, sampleSponsored, typedWindow),
  ],
};
