import { maxBigint } from '../../../base/values/integers.ts';
import type { UserOperationWithGas } from '../../../domain/user-operation.ts';
import { addressDigits, addressWord, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { PaymasterContract, PaymasterContractFamily, SignedTerms } from '../family/family.ts';
import {
  hashCheck,
  replaceableSigner,
  sampleSponsored,
  typedWindow,
  verifyingSignerCheck,
} from '../family/preflight.ts';
import {
  bytesDigits,
  contractWords,
  gasWords06,
  packedWindow,
  signing,
  uintWord,
  windowWords,
} from '../family/signed-fields.ts';
import { maxMarkup, sponsored, withMarkup } from '../family/terms.ts';
import { biconomyBalances } from './biconomy-balances.ts';

/**
 * Gas that postOp adds to the cost it deducts, as set by the constructor. The contract has no getter for it: if its owner
 * raises it with `setUnaccountedEPGasOverhead`, a tank can be charged more than was held.
 */
const unaccountedGas = 18_500n;

/** Words before the first byte string of the hashed data. */
const headWords = 15;

/**
 * Biconomy's `SponsorshipPaymaster` (branch `develop`) for EntryPoint 0.6: sponsors only, with a balance for each customer
 * and a markup, where values below a million are a discount.
 *
 * `paymasterAndData = paymaster` (20) `‖ paymasterId` (20) `‖ validUntil` (6) `‖ validAfter` (6) `‖ priceMarkup` (4) `‖
 * signature` (65): 121 bytes. The `paymasterId` is the funding wallet.
 *
 * The contract takes `(actualGasCost + 18,500 * gas price) * priceMarkup / 10^6` from the customer's balance.
 */
export const biconomySponsorshipPacked: PaymasterContractFamily = {
  name: 'biconomy-sponsorship-packed',
  entryPointVersion: '0.6',
  modes: ['SPONSORED'],
  signatureExpiry: 'window',
  priceMarkups: { min: 1, max: maxMarkup },
  customerFunding: biconomyBalances,
  paymasterGasLimits: () => ({ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
  verificationGas: ({ changedSlot }) => ({ unseen: changedSlot + 3_000n, min: 2n * changedSlot + 70_000n }),
  ...signing((contract, _, signedTerms) => {
    const { fundingWallet, priceMarkup } = sponsored(signedTerms);
    const customer = addressDigits(fundingWallet) + packedWindow(signedTerms) + uintDigits(priceMarkup, 4);
    return `0x${addressDigits(contract.address)}${customer}`;
  }, signedDigits),
  worstCase(operation, signedTerms) {
    const prefund = requiredPrefund(operation);
    const charge = withMarkup(prefund + unaccountedGas * operation.maxFeePerGas, sponsored(signedTerms).priceMarkup);
    // With a discount the contract's deposit, which the tank answers for, loses more than the customer's balance.
    return maxBigint(charge, prefund);
  },
  maximumTokenCharge: () => 0n,
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, replaceableSigner),
    hashCheck(biconomySponsorshipPacked, contract, sampleSponsored, [
      ['address', sampleSponsored.fundingWallet],
      ...typedWindow,
      ['uint32', sampleSponsored.priceMarkup],
    ]),
  ],
};

/**
 * The data that the contract's `getHash(userOp, paymasterId, validUntil, validAfter, priceMarkup)` hashes: the ABI encoding
 * of the operation's fields and its own, with `initCode` and `callData` in full instead of hashed.
 */
function signedDigits(contract: PaymasterContract, operation: UserOperationWithGas, signedTerms: SignedTerms): string {
  const { fundingWallet, priceMarkup } = sponsored(signedTerms);
  const initCode = bytesDigits(operation.initCode);
  const callData = bytesDigits(operation.callData);
  const offsetOfInitCode = headWords * 32;
  return (
    addressWord(operation.sender) +
    uintWord(operation.nonce, 32) +
    uintWord(offsetOfInitCode, 32) +
    uintWord(offsetOfInitCode + initCode.length / 2, 32) +
    gasWords06(operation) +
    contractWords(contract) +
    addressWord(fundingWallet) +
    windowWords(signedTerms) +
    uintWord(priceMarkup, 4) +
    initCode +
    callData
  );
}
