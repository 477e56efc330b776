import { parseAbi } from 'viem';
import { addressDigits, addressWord, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { PaymasterContractFamily } from '../family/family.ts';
import { hashCheck, replaceableSigner, sampleToken, typedWindow, verifyingSignerCheck } from '../family/preflight.ts';
import {
  contractWords,
  operationWords06,
  packedWindow,
  signing,
  uintWord,
  windowWords,
} from '../family/signed-fields.ts';
import { noMarkup, paidInTokens, tokenCharge } from '../family/terms.ts';

/** `priceSource`: use the signed rate, not an oracle's. */
const externalRate = 0;
const tokenPaymentEvents = parseAbi([
  'event TokenPaymasterOperation(address indexed sender, address indexed token, uint256 indexed amount, uint32 priceMarkup, bytes32 userOperationHash, uint128 exchangeRate, uint8 priceSource)',
]);
/** Gas that the contract adds to the EntryPoint's cost; a constant of the contract. */
const unaccountedGas = 35_000n;

/**
 * Biconomy's `BiconomyTokenPaymaster` of branch `develop` for EntryPoint 0.6: the user pays in a token.
 *
 * `paymasterAndData = paymaster` (20) `‖ priceSource` (1) `‖ validUntil` (6) `‖ validAfter` (6) `‖ feeToken` (20) `‖
 * exchangeRate` (16) `‖ priceMarkup` (4) `‖ signature` (65): 138 bytes. The exchange rate includes the premium, so the
 * markup stays neutral. A rate above 128 bits cannot be signed.
 *
 * Spender, balance, receiver and risk are those of `biconomy-token-0.6`; the overhead is 35,000 gas.
 */
export const biconomyToken06Packed: PaymasterContractFamily = {
  name: 'biconomy-token-0.6-packed',
  entryPointVersion: '0.6',
  modes: ['ERC20'],
  signatureExpiry: 'window',
  tokenPaymentEvents,
  withoutPayment: 'carried',
  paymasterGasLimits: () => ({ paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }),
  verificationGas: ({ newSlot, changedSlot }) => ({
    unseen: changedSlot + 15_000n,
    min: newSlot + 2n * changedSlot + 87_900n,
  }),
  ...signing(
    (contract, _, signedTerms) => {
      const { token, exchangeRate } = paidInTokens(signedTerms);
      const price = addressDigits(token) + uintDigits(exchangeRate, 16) + uintDigits(noMarkup, 4);
      return `0x${addressDigits(contract.address)}${uintDigits(externalRate, 1)}${packedWindow(signedTerms)}${price}`;
    },
    // The contract's `getHash(userOp, priceSource, validUntil, validAfter, feeToken, exchangeRate, priceMarkup)`.
    (contract, operation, signedTerms) => {
      const { token, exchangeRate } = paidInTokens(signedTerms);
      const price = addressWord(token) + uintWord(exchangeRate, 16) + uintWord(noMarkup, 4);
      const own = uintWord(externalRate, 1) + windowWords(signedTerms) + price;
      return operationWords06(operation) + contractWords(contract) + own;
    },
  ),
  worstCase: requiredPrefund,
  maximumTokenCharge: (operation, signedTerms) => tokenCharge(operation, signedTerms, unaccountedGas),
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, replaceableSigner),
    hashCheck(biconomyToken06Packed, contract, sampleToken, [
      ['uint8', externalRate],
      ...typedWindow,
      ['address', sampleToken.token],
      ['uint128', sampleToken.exchangeRate],
      ['uint32', noMarkup],
    ]),
  ],
};
