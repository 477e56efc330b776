import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { UnitPrices } from '../../../domain/unit-prices.ts';
import type { GasLimits, UserOperationWithGas } from '../../../domain/user-operation.ts';
import { addressDigits, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import type {
  PaymasterContract,
  PaymasterContractFamily,
  PreflightCheck,
  SignedTerms,
  TokenTerms,
} from '../family/family.ts';
import { hashCheck, sampleSponsored, sampleToken } from '../family/preflight.ts';
import { postOpCharge, tokenCharge } from '../family/terms.ts';
import { bundlerLookupGas, unusedPostOpGas, type ValidatedData, validationGasLimit } from '../family/validation-gas.ts';

/**
 * The most token base units the singleton can take: `(prefund + postOpGas * maxFeePerGas) * exchangeRate / 10^18`, rounded
 * up; 0 when sponsored.
 *
 * The contract charges `(cost + penalty + postOpGas * fee) * exchangeRate / 10^18`, rounded down (`getCostInToken`), where
 * - `fee` is what the operation pays per gas, at most `maxFeePerGas`;
 * - `cost` is what the EntryPoint has counted so far. If its final count is above the required prefund, it reverts the
 *   operation, including the token transfer (`AA51`). So `cost <= prefund` for any charge that persists;
 * - `penalty` is the 0.7 contract's guess of the EntryPoint's penalty, `fee * (limit - used) / 10` with the limits of call
 *   and postOp as `limit` and `used = cost / fee + postOpGas - preVerificationGas - verificationGasLimit - validationGas`, 0
 *   when more was used (0.6 and 0.8 add none: there is no penalty, or `cost` includes it).
 *
 * One more unit of `cost` lowers `penalty` by a tenth at most, so the charge is highest at `cost = prefund`, which is at
 * least the sum of the limits at that fee. There `used >= limit + paymasterVerificationGasLimit + postOpGas - validationGas
 * >= limit`, since our `validationGas` is not above our `postOpGas`. So the penalty is 0, and the bound above remains.
 */
export function maximumSingletonCharge(operation: UserOperationWithGas, signedTerms: SignedTerms): bigint {
  return signedTerms.mode === 'SPONSORED' ? 0n : tokenCharge(operation, signedTerms, postOpCharge(signedTerms.prices));
}

/** Nonzero bytes of an advance. A stub sets two spare bytes, so that it never has more zero bytes. */
const advanceBytes = 2;
/** Exchange rates are per this many wei. */
const weiPerRate = 10n ** 18n;

/**
 * The largest `preFund` that the singleton accepts in validation: `prefund * exchangeRate / 10^18`; above it the contract
 * reverts. Rounded down to its first two bytes, by less than one part in 256; the charge in postOp is exact in any case.
 */
export function mostSingletonAdvance(operation: UserOperationWithGas, { exchangeRate }: TokenTerms): bigint {
  const most = (requiredPrefund(operation) * exchangeRate) / weiPerRate;
  const bytes = Math.ceil(most.toString(16).length / 2);
  const dropped = BigInt(8 * Math.max(bytes - advanceBytes, 0));
  return (most >> dropped) << dropped;
}

/**
 * Pimlico's `UserOperationSponsored`: emitted in postOp in token mode, with the tokens pulled; in validation in sponsored
 * mode, with the zero address as token.
 */
export const singletonTokenPaymentEvents = parseAbi([
  'event UserOperationSponsored(bytes32 indexed userOperationHash, address indexed user, uint8 paymasterMode, address token, uint256 amount, uint256 exchangeRate)',
]);

const singletonAbi = parseAbi([
  'function signers(address signer) view returns (bool)',
  'function isBundlerAllowed(address bundler) view returns (bool)',
]);
const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;

/**
 * Checks of Pimlico's singleton: our key is among its `signers`, named bundlers are allowed, its `getHash` of a sample
 * equals our digest in both modes.
 */
export function singletonPreflight(
  family: Pick<PaymasterContractFamily, 'entryPointVersion' | 'prepare' | 'assemble'>,
  contract: PaymasterContract,
  signer: Address,
): readonly PreflightCheck[] {
  return [
    {
      data: encodeFunctionData({ abi: singletonAbi, functionName: 'signers', args: [signer] }),
      expected: wordOfTrue,
      complaint: `does not accept ${signer} as a signer`,
      remedy: 'Its manager can add it with addSigner and keep the existing ones',
      about: 'signer',
    },
    ...(contract.allowedBundlers ?? []).map((bundler) => ({
      data: encodeFunctionData({ abi: singletonAbi, functionName: 'isBundlerAllowed', args: [bundler] }),
      expected: wordOfTrue,
      complaint: `does not allow the bundler ${bundler} (updateBundlerAllowlist)`,
    })),
    hashCheck(family, contract, sampleSponsored, [], { before: [['uint8', 0]] }),
    hashCheck(family, contract, sampleToken, [], { before: [['uint8', 1]] }),
  ];
}

/** First byte: the mode in the upper bits; the lowest bit allows any bundler to carry the operation. */
const modes = { SPONSORED: { anyBundler: '01', bound: '00' }, ERC20: { anyBundler: '03', bound: '02' } } as const;
/** The flags of token mode, and the fields that they announce after the token recipient, as hex digits. */
export type SingletonTerms = { readonly flags: string; readonly fields: (signedTerms: TokenTerms) => string };

/** No constant fee, no remainder recipient, nothing in advance. */
export const plainTerms: SingletonTerms = { flags: '00', fields: () => '' };
/** A part in advance, possibly zero, and no fee. The data is always as long as its stub. */
export const advanceTerms: SingletonTerms = advanceAndFee(0n);
/**
 * The terms of estimation: a fee of one base unit. Bundlers estimate at 1 wei per gas, where the charge rounds to zero in a
 * token with few decimals. Without the fee, `postOp` would make no transfer and its estimated limit would be too low.
 */
export const stubTerms: SingletonTerms = advanceAndFee(1n);

function advanceAndFee(constantFee: bigint): SingletonTerms {
  return {
    flags: '05',
    fields: ({ inAdvance = 0n }) => uintDigits(inAdvance, 16) + uintDigits(constantFee, 16),
  };
}

/**
 * The singleton's own part of `paymasterAndData` before the signature, as hex digits without `0x`. It starts at byte 20 in
 * 0.6 and at byte 52 in 0.7 and up.
 *
 * - `SPONSORED` (13 bytes): `mode` (1) `‖ validUntil` (6) `‖ validAfter` (6);
 * - `ERC20` (118 bytes): `mode` (1) `‖ flags` (1) `‖ validUntil` (6) `‖ validAfter` (6) `‖ token` (20) `‖ postOpGas` (16) `‖
 *   exchangeRate` (32) `‖ paymasterValidationGasLimit` (16) `‖ tokenRecipient` (20), and with {@link advanceTerms} `‖ preFund`
 *   (16) `‖ constantFee` (16).
 *
 * With named bundlers, the contract only accepts the operation in a transaction of a bundler that it also allows
 * (`isBundlerAllowed`).
 *
 * Throws `RangeError` when a number does not fit its field.
 */
export function singletonData(
  { allowedBundlers }: Pick<PaymasterContract, 'allowedBundlers'>,
  signedTerms: SignedTerms,
  { flags, fields }: SingletonTerms,
): string {
  const mode = modes[signedTerms.mode][allowedBundlers === undefined ? 'anyBundler' : 'bound'];
  const window = uintDigits(signedTerms.validUntil, 6) + uintDigits(signedTerms.validAfter, 6);
  if (signedTerms.mode === 'SPONSORED') return mode + window;
  return (
    mode +
    flags +
    window +
    addressDigits(signedTerms.token) +
    uintDigits(postOpCharge(signedTerms.prices), 16) +
    uintDigits(signedTerms.exchangeRate, 32) +
    uintDigits(singletonValidationGas(signedTerms.prices), 16) +
    addressDigits(signedTerms.tokenRecipient) +
    fields(signedTerms)
  );
}

/**
 * The validation gas that the singleton assumes when it guesses the EntryPoint's penalty on unused gas (its field
 * `paymasterValidationGasLimit`, read by the 0.7 contract only). With mainnet's prices 40,000, where 32,000 were measured in
 * token mode for common call data. A higher number makes the user pay more, a lower one the sponsor. Never exceeds {@link
 * postOpCharge}, on which the bound of {@link maximumSingletonCharge} relies.
 */
export const singletonValidationGas = ({ changedSlot, coldAccount }: UnitPrices): bigint =>
  changedSlot + coldAccount + 32_400n;

type PaymasterGasLimits = Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/**
 * Gas of the singleton's validation for an operation without data: the EntryPoint takes the prefund from the contract's
 * deposit, and calls it for the first time. With mainnet's prices this is the lowest passing limit, measured as 25,700
 * (`SPONSORED`) and 31,900 (`ERC20`).
 */
const validationGas = (mode: SponsorshipMode, { changedSlot, coldAccount }: UnitPrices): bigint =>
  changedSlot + coldAccount + validationRest[mode];
const validationRest: Readonly<Record<SponsorshipMode, bigint>> = { SPONSORED: 18_100n, ERC20: 24_300n };

/**
 * Addition to the validation limit in token mode for tokens taken in advance: the first call of the token changes the
 * sender's balance and its allowance, and makes the balance of an empty token recipient. Measured with mainnet's prices: 18,900
 * with a plain token, 17,000 more for the first transfer to an empty token recipient. A token that needs more is charged after the
 * call.
 */
export const advanceReserve = ({ newSlot, changedSlot, coldAccount }: UnitPrices): bigint =>
  newSlot + 2n * changedSlot + coldAccount + 1_300n;

/**
 * Gas of postOp with a plain token, of which two balances change. With mainnet's prices 29,800: the lowest passing limit was
 * measured as 29,750 (0.7) and 29,000 (0.8).
 */
const plainPostOpGas = ({ changedSlot, coldAccount }: UnitPrices): bigint => 2n * changedSlot + coldAccount + 17_200n;
/** Margin of the postOp limit in basis points, as for every limit of ours. */
const postOpMarginBasisPoints = 1_000n;
/**
 * Addition to the postOp limit beyond need and margin. With the margin it covers a first transfer to an empty token recipient
 * ({@link emptyTokenRecipientGas}) and writing an allowance (another changed slot). 0.8 penalizes unused postOp gas above 40,000,
 * which the contract does not pass on: less remains even if the call has used the token before, once the room for an empty
 * token recipient is gone. Bundlers refuse limits that are mostly unused.
 */
export const postOpReserve = ({ newSlot, coldAccount }: UnitPrices): bigint => newSlot - coldAccount - 500n;

/** What the first transfer to an empty token recipient costs more than a later one: the new slot of its balance. */
export function emptyTokenRecipientGas({ newSlot, changedSlot }: UnitPrices): PaymasterGasLimits {
  const more = newSlot - changedSlot;
  return { paymasterVerificationGasLimit: more, paymasterPostOpGasLimit: more };
}

/**
 * Limits of the singleton for EntryPoint 0.7 and up, in gas. `SPONSORED` has no postOp; its limit is {@link
 * unusedPostOpGas}.
 *
 * With mainnet's prices the lowest passing validation limits are 25,800 (`SPONSORED`) and 32,000 (`ERC20`; 29,700 on 0.8) for a transfer, and
 * 64,400 and 70,600 for 64 KiB, the most that is accepted.
 */
export function singletonGasLimits(
  mode: SponsorshipMode,
  prices: UnitPrices,
  operation?: ValidatedData,
): PaymasterGasLimits {
  return {
    paymasterVerificationGasLimit: validationGasLimit(
      validationGas(mode, prices),
      operation,
      mode === 'SPONSORED' ? 0n : bundlerLookupGas(prices) + advanceReserve(prices),
    ),
    paymasterPostOpGasLimit: mode === 'SPONSORED' ? unusedPostOpGas : postOpGasLimit(prices),
  };
}

function postOpGasLimit(prices: UnitPrices): bigint {
  const plain = plainPostOpGas(prices);
  return plain + (plain * postOpMarginBasisPoints) / 10_000n + postOpReserve(prices);
}
