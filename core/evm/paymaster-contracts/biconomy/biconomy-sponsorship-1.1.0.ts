import { addressWord } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { PaymasterContractFamily, SignedTerms } from '../family/family.ts';
import {
  hashCheck,
  replaceableSigner,
  sampleSponsored,
  typedWindow,
  verifyingSignerCheck,
} from '../family/preflight.ts';
import {
  appendAbiSignature,
  beforeAbiSignature,
  contractWords,
  operationWords06,
  signing,
  windowWords,
} from '../family/signed-fields.ts';
import { sponsored } from '../family/terms.ts';
import { biconomyBalances } from './biconomy-balances.ts';

/**
 * Gas that postOp adds to the cost it deducts (`unaccountedEPGasOverhead`), as set by the constructor. The contract has no
 * getter for it: if its owner raises it with `setUnaccountedEPGasOverhead`, a tank can be charged more than was held.
 */
const unaccountedGas = 12_000n;

/**
 * Biconomy's `VerifyingSingletonPaymaster` 1.1.0 for EntryPoint 0.6 (deployed as `0x00000f79…89`): sponsors only, with a
 * balance for each customer, without a markup.
 *
 * `paymasterAndData = paymaster` (20) `‖ abi.encode(address paymasterId, uint48 validUntil, uint48 validAfter, bytes
 * signature)` (256): 276 bytes. The `paymasterId` is the funding wallet.
 *
 * The contract takes `actualGasCost + 12,000 * gas price` from the customer's balance, which must cover the required prefund
 * during validation.
 */
export const biconomySponsorship110: PaymasterContractFamily = {
  name: 'biconomy-sponsorship-1.1.0',
  entryPointVersion: '0.6',
  modes: ['SPONSORED'],
  signatureExpiry: 'window',
  customerFunding: biconomyBalances,
  paymasterGasLimits: () => ({ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
  verificationGas: ({ changedSlot }) => ({ unseen: changedSlot + 3_000n, min: 2n * changedSlot + 50_000n }),
  ...signing(
    (contract, _, signedTerms) => beforeAbiSignature(contract, termsWords(signedTerms)),
    // The contract's `getHash(userOp, paymasterId, validUntil, validAfter)`.
    (contract, operation, signedTerms) =>
      operationWords06(operation) + contractWords(contract) + termsWords(signedTerms),
    appendAbiSignature,
  ),
  worstCase: (operation) => requiredPrefund(operation) + unaccountedGas * operation.maxFeePerGas,
  maximumTokenCharge: () => 0n,
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, replaceableSigner),
    hashCheck(biconomySponsorship110, contract, sampleSponsored, [
      ['address', sampleSponsored.fundingWallet],
      ...typedWindow,
    ]),
  ],
};

function termsWords(signedTerms: SignedTerms): string {
  return addressWord(sponsored(signedTerms).fundingWallet) + windowWords(signedTerms);
}
