import { type Address, parseAbi, zeroAddress } from 'viem';
import { addressDigits, addressWord, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type { PaymasterContractFamily, SignedTerms } from '../family/family.ts';
import { hashCheck, replaceableSigner, sampleToken, typedWindow, verifyingSignerCheck } from '../family/preflight.ts';
import { contractWords, operationWords06, signing, uintWord, windowWords } from '../family/signed-fields.ts';
import { noMarkup, paidInTokens, tokenCharge } from '../family/terms.ts';

/** `priceSource`: use the signed rate, not an oracle's. */
const externalRate = 0;
/** An external rate needs no oracle. */
const oracleAggregator: Address = zeroAddress;
const tokenPaymentEvents = parseAbi([
  'event TokenPaymasterOperation(address indexed sender, address indexed token, uint256 indexed amount, address oracleAggregator, uint32 priceMarkup, bytes32 userOperationHash, uint256 exchangeRate, uint8 priceSource)',
]);
/** Gas that the contract adds to the EntryPoint's cost; its constant `UNACCOUNTED_COST`. */
const unaccountedGas = 45_000n;

/**
 * Biconomy's `BiconomyTokenPaymaster` 1.0.0 for EntryPoint 0.6 (deployed as `0x00000f73…4C`): the user pays in a token.
 *
 * `paymasterAndData = paymaster` (20) `‖ priceSource` (1) `‖ abi.encode(uint48 validUntil, uint48 validAfter, address
 * feeToken, address oracleAggregator, uint256 exchangeRate, uint32 priceMarkup)` (192) `‖ signature` (65): 278 bytes. The
 * exchange rate includes the premium, so the markup stays neutral.
 *
 * The contract is the spender of the token. It pulls in postOp, so an approval within the operation's own calls is early
 * enough. The balance, however, must cover the maximum during validation. The tokens go to the contract's own fee receiver,
 * not to the configured token recipient. A sender who revokes the allowance in the same operation is not charged (event
 * `TokenPaymentDue`): the sponsor bears that risk.
 *
 * The charge is `(actualGasCost + 45,000 * tx.gasprice) * exchangeRate / 10^18`. The bundler pays `tx.gasprice`; the maximum
 * assumes it is at most the operation's `maxFeePerGas`, above which a bundler loses money.
 */
export const biconomyToken06: PaymasterContractFamily = {
  name: 'biconomy-token-0.6',
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
    (contract, _, signedTerms) =>
      `0x${addressDigits(contract.address)}${uintDigits(externalRate, 1)}${priceWords(signedTerms)}`,
    // The contract's `getHash(userOp, priceSource, validUntil, validAfter, feeToken, oracleAggregator, exchangeRate,
    // priceMarkup)`.
    (contract, operation, signedTerms) =>
      operationWords06(operation) + contractWords(contract) + uintWord(externalRate, 1) + priceWords(signedTerms),
  ),
  worstCase: requiredPrefund,
  maximumTokenCharge: (operation, signedTerms) => tokenCharge(operation, signedTerms, unaccountedGas),
  preflight: (contract, signer) => [
    verifyingSignerCheck(signer, replaceableSigner),
    hashCheck(biconomyToken06, contract, sampleToken, [
      ['uint8', externalRate],
      ...typedWindow,
      ['address', sampleToken.token],
      ['address', oracleAggregator],
      ['uint256', sampleToken.exchangeRate],
      ['uint32', noMarkup],
    ]),
  ],
};

function priceWords(signedTerms: SignedTerms): string {
  const { token, exchangeRate } = paidInTokens(signedTerms);
  return (
    windowWords(signedTerms) +
    addressWord(token) +
    addressWord(oracleAggregator) +
    uintWord(exchangeRate, 32) +
    uintWord(noMarkup, 4)
  );
}
