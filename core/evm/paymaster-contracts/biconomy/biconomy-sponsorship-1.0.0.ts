import { addressWord } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { PaymasterContractFamily, SignedTerms } from '../family/family.ts';
import { hashCheck, replaceableSigner, sampleSponsored, verifyingSignerCheck } from '../family/preflight.ts';
import {
  appendAbiSignature,
  beforeAbiSignature,
  contractWords,
  operationWords06,
  signing,
} from '../family/signed-fields.ts';
import { sponsored } from '../family/terms.ts';

/**
 * Biconomy's verifying paymaster 1.0.0 for EntryPoint 0.6 (deployed as `0x000031DD…D4`): sponsors only.
 *
 * `paymasterAndData = paymaster` (20) `‖ abi.encode(address paymasterId, bytes signature)` (192): 212 bytes. The
 * `paymasterId` is the funding wallet.
 *
 * There is no window: a signature stays valid until another operation uses its nonce, whatever `expiryDuration` was
 * requested. Its hold stays as long. Prefer another contract where possible.
 */
export const biconomySponsorship100: PaymasterContractFamily = {
  name: 'biconomy-sponsorship-1.0.0',
  entryPointVersion: '0.6',
  modes: ['SPONSORED'],
  signatureExpiry: 'never',
  paymasterGasLimits: () => ({ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
  verificationGas: ({ changedSlot }) => ({ unseen: changedSlot + 3_000n, min: 2n * changedSlot + 50_000n }),
  ...signing(
    (contract, _, signedTerms) => beforeAbiSignature(contract, termsWords(signedTerms)),
    // The contract's `getHash(userOp, paymasterId)`.
    (contract, operation, signedTerms) =>
      operationWords06(operation) + contractWords(contract) + termsWords(signedTerms),
    appendAbiSignature,
  ),
  worstCase: requiredPrefund,
  maximumTokenCharge: () => 0n,
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, replaceableSigner),
    hashCheck(biconomySponsorship100, contract, sampleSponsored, [['address', sampleSponsored.fundingWallet]]),
  ],
};

function termsWords(signedTerms: SignedTerms): string {
  return addressWord(sponsored(signedTerms).fundingWallet);
}
