import { encodeFunctionData, parseAbi } from 'viem';
import type { UnitPrices } from '../../../domain/unit-prices.ts';
import { addressDigits, addressWord, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import { paymasterPrefix } from '../../entry-point/packed-user-operation.ts';
import type { PaymasterContractFamily } from '../family/family.ts';
import { hashCheck, replaceableSigner, sampleToken, typedWindow, verifyingSignerCheck } from '../family/preflight.ts';
import {
  contractWords,
  operationWords07,
  packedWindow,
  signing,
  uintWord,
  windowWords,
} from '../family/signed-fields.ts';
import { noMarkup, paidInTokens, tokenCharge } from '../family/terms.ts';
import { validationGasLimit } from '../family/validation-gas.ts';

/** `mode` EXTERNAL: use the signed price, not an oracle's. */
const externalPrice = '00';

/**
 * The assumed maximum of the gas that the contract adds to the cost. No signatures for a contract whose owner has set more.
 */
const maxUnaccountedGas = 100_000n;
const unaccountedGasAbi = parseAbi(['function unaccountedGas() view returns (uint256)']);

/** The final payment of the user. The second form is that of a later version of the contract. */
const tokenPaymentEvents = parseAbi([
  'event PaidGasInTokens(address indexed sender, address indexed token, uint256 nativeCharge, uint256 amount, uint256 priceMarkup, bytes32 indexed userOperationHash)',
  'event PaidGasInTokens(address indexed sender, address indexed token, uint256 nativeCharge, uint256 amount, uint32 priceMarkup, uint256 tokenPrice, bytes32 userOperationHash)',
]);

/**
 * Gas of validation without data: the EntryPoint takes the prefund from the contract's deposit. The contract and the token
 * are called for the first time; one balance of the token changes, one is new. The lowest passing limits, measured with a
 * plain token and mainnet's prices: 61,100 for a transfer, 100,000 for 64 KiB. The reserve covers a token behind a proxy
 * with checks of its own.
 */
const validationGas = ({ newSlot, changedSlot, coldAccount }: UnitPrices): bigint =>
  newSlot + 2n * changedSlot + 2n * coldAccount + 23_700n;
export const costlyTokenReserve = 40_000n;
/** postOp refunds the unused tokens. The contract may refuse a limit below its overhead, so this is as high. */
const postOpGasLimit = maxUnaccountedGas;

/**
 * Biconomy's `BiconomyTokenPaymaster` for EntryPoint 0.7 (deployed as `0x00000000301515A5…19`): the user pays in a token.
 *
 * `paymasterAndData = paymaster` (20) `‖ paymasterVerificationGasLimit` (16) `‖ paymasterPostOpGasLimit` (16) `‖ mode` (1)
 * `‖ validUntil` (6) `‖ validAfter` (6) `‖ tokenAddress` (20) `‖ tokenPrice` (16) `‖ externalPriceMarkup` (4) `‖ signature`
 * (65): 170 bytes. The price includes the premium, so the markup stays neutral. A price above 128 bits cannot be signed.
 *
 * The contract is the spender of the token. It pulls the whole maximum in validation, before the account's calls, and
 * refunds the rest in postOp. So balance and allowance must cover the maximum before the operation: an approval inside it
 * comes too late. The tokens stay with the contract, not with the configured token recipient.
 */
export const biconomyToken07: PaymasterContractFamily = {
  name: 'biconomy-token-0.7',
  entryPointVersion: '0.7',
  modes: ['ERC20'],
  signatureExpiry: 'window',
  tokenPaymentEvents,
  withoutPayment: 'not-carried',
  paymasterGasLimits: (_mode, prices, operation) => ({
    paymasterVerificationGasLimit: validationGasLimit(validationGas(prices), operation, costlyTokenReserve),
    paymasterPostOpGasLimit: postOpGasLimit,
  }),
  ...signing(
    (contract, operation, signedTerms) => {
      const { token, exchangeRate } = paidInTokens(signedTerms);
      const price = addressDigits(token) + uintDigits(exchangeRate, 16) + uintDigits(noMarkup, 4);
      return `0x${paymasterPrefix(contract.address, operation.gas)}${externalPrice}${packedWindow(signedTerms)}${price}`;
    },
    // The contract's `getHash(userOp, validUntil, validAfter, tokenAddress, tokenPrice, externalPriceMarkup)`.
    (contract, operation, signedTerms) => {
      const { token, exchangeRate } = paidInTokens(signedTerms);
      const own = windowWords(signedTerms) + addressWord(token) + uintWord(exchangeRate, 16) + uintWord(noMarkup, 4);
      return operationWords07(operation) + contractWords(contract) + own;
    },
  ),
  worstCase: requiredPrefund,
  maximumTokenCharge: (operation, signedTerms) => tokenCharge(operation, signedTerms, maxUnaccountedGas),
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, replaceableSigner),
    {
      data: encodeFunctionData({ abi: unaccountedGasAbi }),
      accepts: (answer) => answer.length === 66 && BigInt(answer) <= maxUnaccountedGas,
      complaint: `adds more than ${maxUnaccountedGas} gas to the cost of every operation (unaccountedGas)`,
    },
    hashCheck(biconomyToken07, contract, sampleToken, [
      ...typedWindow,
      ['address', sampleToken.token],
      ['uint128', sampleToken.exchangeRate],
      ['uint32', noMarkup],
    ]),
  ],
};
