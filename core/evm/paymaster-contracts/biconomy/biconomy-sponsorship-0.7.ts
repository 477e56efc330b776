import { parseAbiItem } from 'viem';
import { divideUp } from '../../../base/values/integers.ts';
import type { UnitPrices } from '../../../domain/unit-prices.ts';
import { addressDigits, addressWord, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import { paymasterPrefix } from '../../entry-point/packed-user-operation.ts';
import type { PaymasterContractFamily } from '../family/family.ts';
import {
  hashCheck,
  replaceableSigner,
  sampleSponsored,
  typedWindow,
  verifyingSignerCheck,
} from '../family/preflight.ts';
import {
  contractWords,
  operationWords07,
  packedWindow,
  signing,
  uintWord,
  windowWords,
} from '../family/signed-fields.ts';
import { maxMarkup, noMarkup, sponsored, withMarkup } from '../family/terms.ts';
import { validationGasLimit } from '../family/validation-gas.ts';
import { biconomyBalances } from './biconomy-balances.ts';

/** The largest `unaccountedGas` that the contract's owner can set; the contract adds it to every cost. */
const maxUnaccountedGas = 100_000n;

/**
 * Gas of validation without data: the EntryPoint takes the prefund from the contract's deposit, and calls it for the first
 * time, which changes one balance. The lowest passing limits, measured with a contract of this kind and mainnet's prices:
 * 30,500 for a transfer, 69,100 for 64 KiB. The reserve covers the deployed contract, which was compiled differently.
 */
const validationGas = ({ changedSlot, coldAccount }: UnitPrices): bigint => 2n * changedSlot + coldAccount + 17_800n;
export const deployedReserve = 20_000n;

/**
 * Biconomy's `BiconomySponsorshipPaymaster` for EntryPoint 0.7 (deployed as `0x00000072…Bc`): sponsors only, with a balance
 * for each customer and a markup.
 *
 * `paymasterAndData = paymaster` (20) `‖ paymasterVerificationGasLimit` (16) `‖ paymasterPostOpGasLimit` (16) `‖
 * paymasterId` (20) `‖ validUntil` (6) `‖ validAfter` (6) `‖ priceMarkup` (4) `‖ signature` (65): 153 bytes. The
 * `paymasterId` is the funding wallet.
 *
 * Validation takes {@link PaymasterContractFamily.worstCase} from the customer's balance. That is the required prefund and
 * `unaccountedGas`, with the markup, plus a tenth of the cost of the call and postOp limits, for the EntryPoint's penalty.
 * postOp refunds the unused part of the first; the contract keeps the tenth until its owner refunds it (`refundBalances`).
 * The contract refuses a postOp limit below its `unaccountedGas`.
 */
export const biconomySponsorship07: PaymasterContractFamily = {
  name: 'biconomy-sponsorship-0.7',
  entryPointVersion: '0.7',
  modes: ['SPONSORED'],
  signatureExpiry: 'window',
  priceMarkups: { min: noMarkup, max: maxMarkup },
  customerFunding: {
    ...biconomyBalances,
    chargesMoreThanReported: true,
    refundFunction: parseAbiItem('function refundBalances(address[] paymasterIds, uint256[] amounts) payable'),
  },
  paymasterGasLimits: (_mode, prices, operation) => ({
    paymasterVerificationGasLimit: validationGasLimit(validationGas(prices), operation, deployedReserve),
    paymasterPostOpGasLimit: maxUnaccountedGas,
  }),
  ...signing(
    (contract, operation, signedTerms) => {
      const { fundingWallet, priceMarkup } = sponsored(signedTerms);
      const customer = addressDigits(fundingWallet) + packedWindow(signedTerms) + uintDigits(priceMarkup, 4);
      return `0x${paymasterPrefix(contract.address, operation.gas)}${customer}`;
    },
    // The contract's `getHash(userOp, paymasterId, validUntil, validAfter, priceMarkup)`.
    (contract, operation, signedTerms) => {
      const { fundingWallet, priceMarkup } = sponsored(signedTerms);
      const own = addressWord(fundingWallet) + windowWords(signedTerms) + uintWord(priceMarkup, 4);
      return operationWords07(operation) + contractWords(contract) + own;
    },
  ),
  worstCase(operation, signedTerms) {
    const { gas, maxFeePerGas } = operation;
    const cost = requiredPrefund(operation) + maxUnaccountedGas * maxFeePerGas;
    const penalty = divideUp((gas.callGasLimit + gas.paymasterPostOpGasLimit) * maxFeePerGas, 10n);
    return withMarkup(cost, sponsored(signedTerms).priceMarkup) + penalty;
  },
  maximumTokenCharge: () => 0n,
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, replaceableSigner),
    hashCheck(biconomySponsorship07, contract, sampleSponsored, [
      ['address', sampleSponsored.fundingWallet],
      ...typedWindow,
      ['uint32', sampleSponsored.priceMarkup],
    ]),
  ],
};
