import { type Address, encodeFunctionData, getAddress, type Hex, pad, parseAbi, size, slice } from 'viem';
import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { UnitPrices } from '../../../domain/unit-prices.ts';
import type { GasLimits, UserOperationWithGas } from '../../../domain/user-operation.ts';
import { addressDigits, uintDigits } from '../../abi/hex-digits.ts';
import { requiredPrefund } from '../../entry-point/entry-points.ts';
import { paymasterPrefix } from '../../entry-point/packed-user-operation.ts';
import { appendPaymasterSignature } from '../../entry-point/paymaster-signature.ts';
import type {
  PaymasterContract,
  PaymasterContractFamily,
  PreflightCheck,
  SignedTerms,
  StubTerms,
  TokenPermit,
} from '../family/family.ts';
import { hashCheck, sampleSponsored, sampleToken } from '../family/preflight.ts';
import { appendSignature, packedWindow, stubSignature } from '../family/signed-fields.ts';
import { postOpCharge, tokenCharge } from '../family/terms.ts';
import { bundlerLookupGas, unusedPostOpGas, type ValidatedData, validationGasLimit } from '../family/validation-gas.ts';
import { emptyTokenRecipientGas, mostSingletonAdvance } from '../singleton/singleton-terms.ts';

const contractAbi = parseAbi([
  'function signers(address signer) view returns (bool)',
  'function isBundlerAllowed(address bundler) view returns (bool)',
  'function entryPoint() view returns (address)',
]);
const samplePermit = { value: 2n ** 200n + 3n, deadline: 2n ** 40n + 1n, signature: stubSignature };
const wordOfTrue: Hex = `0x${'1'.padStart(64, '0')}`;

/** Tollfree's own paymaster contract for one EntryPoint version. */
type TollfreeVersion = Pick<PaymasterContractFamily, 'name' | 'entryPointVersion' | 'readStubTerms'> & {
  /** The contract's `getHash(userOp)`, for terms of {@link tollfreeTerms}. */
  digest(contract: PaymasterContract, operation: UserOperationWithGas, terms: string): Hex;
};

/**
 * Tollfree's own paymaster contract: both modes, several signers.
 *
 * `paymasterAndData = paymaster` (20) `‖ paymasterVerificationGasLimit` (16) `‖ paymasterPostOpGasLimit` (16) `‖` {@link
 * tollfreeTerms} `‖ signature` (65): 130 bytes `SPONSORED`, 206 `ERC20` without a permit. A trailing signature is followed
 * by 10 more bytes and is not in the operation's hash.
 */
export function createTollfreeFamily({ digest, ...version }: TollfreeVersion): PaymasterContractFamily {
  const family: PaymasterContractFamily = {
    ...version,
    modes: ['SPONSORED', 'ERC20'],
    signatureExpiry: 'window',
    paymasterGasLimits: tollfreeGasLimits,
    takesPermits: true,
    tokenPaymentEvents: parseAbi([
      'event TokensPaid(bytes32 indexed userOperationHash, address indexed sender, address indexed token, uint256 amount)',
    ]),
    withoutPayment: 'carried',
    mostInAdvance: mostSingletonAdvance,
    advanceGas: advanceReserve,
    emptyTokenRecipientGas,
    prepare(contract, operation, signedTerms) {
      const terms = tollfreeTerms(contract, signedTerms);
      const unsigned: Hex = `0x${paymasterPrefix(contract.address, operation.gas)}${terms}`;
      return { unsigned, digest: digest(contract, operation, terms) };
    },
    assemble: (unsigned, signature) =>
      saysSignatureTrails(unsigned)
        ? appendPaymasterSignature(unsigned, signature)
        : appendSignature(unsigned, signature),
    stub: (contract, operation, signedTerms) =>
      family.assemble(
        `0x${paymasterPrefix(contract.address, operation.gas)}${tollfreeTerms(contract, signedTerms)}`,
        stubSignature,
      ),
    worstCase: requiredPrefund,
    maximumTokenCharge: (operation, signedTerms) =>
      signedTerms.mode === 'SPONSORED' ? 0n : tokenCharge(operation, signedTerms, postOpCharge(signedTerms.prices)),
    preflight: (contract, signer) => preflight(family, contract, signer),
  };
  return family;
}

/**
 * Checks of the contract: our key is among its `signers`, named bundlers are allowed, its EntryPoint is ours, its digests
 * equal ours in both modes and both forms.
 */
function preflight(
  family: PaymasterContractFamily,
  contract: PaymasterContract,
  signer: Address,
): readonly PreflightCheck[] {
  const knownTerms: readonly SignedTerms[] = [
    sampleSponsored,
    { ...sampleToken, inAdvance: 2n ** 90n + 5n },
    { ...sampleToken, signatureTrails: true },
    { ...sampleToken, permit: samplePermit },
  ];
  return [
    {
      data: encodeFunctionData({ abi: contractAbi, functionName: 'signers', args: [signer] }),
      expected: wordOfTrue,
      complaint: `does not accept ${signer} as a signer`,
      remedy: 'Its owner can add it with addSigner and keep the existing ones',
      about: 'signer',
    },
    {
      data: encodeFunctionData({ abi: contractAbi, functionName: 'entryPoint' }),
      expected: pad(contract.entryPoint).toLowerCase() as Hex,
      complaint: `was not deployed for the EntryPoint ${contract.entryPoint}`,
      remedy: 'A contract of this family never changes its EntryPoint. Deploy another one',
    },
    ...(contract.allowedBundlers ?? []).map((bundler) => ({
      data: encodeFunctionData({ abi: contractAbi, functionName: 'isBundlerAllowed', args: [bundler] }),
      expected: wordOfTrue,
      complaint: `does not allow the bundler ${bundler} (updateBundlerAllowlist)`,
    })),
    ...knownTerms.map((signedTerms) => hashCheck(family, contract, signedTerms)),
  ];
}

/** Bits of the first byte. */
const tokenMode = 1;
const namedBundlers = 2;
const trailingSignature = 4;
const withPermit = 8;

const sponsoredBytes = 13;
const tokenBytes = 89;
/** Bytes of a permit before its signature. */
const permitHeadBytes = 66;

/**
 * The terms of `TollfreePaymaster`, as hex digits without `0x`. They follow the 52 bytes of the EntryPoint.
 *
 * - `SPONSORED` (13 bytes): `kind` (1) `‖ validUntil` (6) `‖ validAfter` (6);
 * - `ERC20` (89 bytes): the same `‖ token` (20) `‖ rate` (16) `‖ tokenRecipient` (20) `‖ advance` (16) `‖ overhead` (4);
 * - then a permit: `value` (32) `‖ deadline` (32) `‖ length` (2) `‖ signature` (length).
 *
 * Throws `RangeError` when a number does not fit its field.
 */
function tollfreeTerms(
  { allowedBundlers }: Pick<PaymasterContract, 'allowedBundlers'>,
  signedTerms: SignedTerms,
): string {
  const kind =
    (signedTerms.mode === 'ERC20' ? tokenMode : 0) +
    (allowedBundlers === undefined ? 0 : namedBundlers) +
    (signedTerms.signatureTrails === true ? trailingSignature : 0) +
    (signedTerms.mode === 'ERC20' && signedTerms.permit !== undefined ? withPermit : 0);
  const common = uintDigits(kind, 1) + packedWindow(signedTerms);
  if (signedTerms.mode === 'SPONSORED') return common;
  return (
    common +
    addressDigits(signedTerms.token) +
    uintDigits(signedTerms.exchangeRate, 16) +
    addressDigits(signedTerms.tokenRecipient) +
    uintDigits(signedTerms.inAdvance ?? 0n, 16) +
    uintDigits(postOpCharge(signedTerms.prices), 4) +
    (signedTerms.permit === undefined ? '' : permitDigits(signedTerms.permit))
  );
}

function permitDigits({ value, deadline, signature }: TokenPermit): string {
  return uintDigits(value, 32) + uintDigits(deadline, 32) + uintDigits(size(signature), 2) + signature.slice(2);
}

/** Whether these terms, after the EntryPoint's 52 bytes, announce a trailing signature. */
function saysSignatureTrails(unsigned: Hex): boolean {
  return (Number(slice(unsigned, 52, 53)) & trailingSignature) !== 0;
}

/** Reads terms that {@link tollfreeTerms} could have written; undefined for anything else. */
export function readTollfreeTerms(terms: Hex): StubTerms | undefined {
  const bytes = (terms.length - 2) / 2;
  if (bytes !== sponsoredBytes && bytes !== tokenBytes && bytes < tokenBytes + permitHeadBytes) return undefined;
  const window = { validUntil: Number(slice(terms, 1, 7)), validAfter: Number(slice(terms, 7, 13)) };
  if (bytes === sponsoredBytes) return { mode: 'SPONSORED', ...window };
  const token: Address = getAddress(slice(terms, 13, 33));
  return { mode: 'ERC20', ...window, token, exchangeRate: BigInt(slice(terms, 33, 49)) };
}

type PaymasterGasLimits = Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/**
 * What validation needs for an operation without data, in gas: the EntryPoint takes the prefund from the contract's deposit,
 * and calls it for the first time. Measured with mainnet's prices: 17,000 (`SPONSORED`) and 18,000 (`ERC20`) for a transfer,
 * 55,600 and 56,600 for 64 KiB.
 */
const validationNeed = (mode: SponsorshipMode, { changedSlot, coldAccount }: UnitPrices): bigint =>
  changedSlot + coldAccount + validationRest[mode];
const validationRest: Readonly<Record<SponsorshipMode, bigint>> = { SPONSORED: 9_300n, ERC20: 10_300n };
/**
 * What postOp needs with a plain token, in gas: two balances change. 22,200 with mainnet's prices, where 22,150 were
 * measured.
 */
const postOpNeed = ({ changedSlot, coldAccount }: UnitPrices): bigint => 2n * changedSlot + coldAccount + 9_600n;

/**
 * Addition to the validation limit in token mode for tokens taken in advance: the first call of the token changes the
 * sender's balance and its allowance, and makes the balance of an empty token recipient.
 */
const advanceReserve = ({ newSlot, changedSlot, coldAccount }: UnitPrices): bigint =>
  newSlot + 2n * changedSlot + coldAccount + 1_300n;

/**
 * Addition for a permit: a first nonce and a first allowance, of a token behind a proxy. A permit that the sender's own code
 * verifies (ERC-1271) also needs gas for that code.
 */
const permitReserve = ({ newSlot, coldAccount }: UnitPrices): bigint => 2n * newSlot + coldAccount + 28_200n;
const ownCodeReserve = ({ coldAccount }: UnitPrices): bigint => 4n * coldAccount + 89_600n;
const keySignatureBytes = 65;

const postOpMarginBasisPoints = 1_000n;
/**
 * Addition to the postOp limit beyond need and margin: for a first transfer to an empty token recipient ({@link
 * emptyTokenRecipientGas}), writing an allowance (another changed slot), and a costlier token, which is mostly in the margin. The
 * EntryPoint charges a tenth of unused postOp gas when more than 40,000 are left: no more are left, even if the call has
 * used the token before, once the room for an empty token recipient is gone.
 */
const postOpReserve = ({ newSlot }: UnitPrices): bigint => newSlot + 100n;

function permitGas(permit: TokenPermit | undefined, prices: UnitPrices): bigint {
  if (permit === undefined) return 0n;
  const reserve = permitReserve(prices);
  return size(permit.signature) === keySignatureBytes ? reserve : reserve + ownCodeReserve(prices);
}

/** Limits of the contract, in gas. `SPONSORED` has no postOp; its limit is {@link unusedPostOpGas}. */
function tollfreeGasLimits(
  mode: SponsorshipMode,
  prices: UnitPrices,
  operation?: ValidatedData,
  permit?: TokenPermit,
): PaymasterGasLimits {
  const isSponsored = mode === 'SPONSORED';
  const need = postOpNeed(prices);
  const withMargin = need + (need * postOpMarginBasisPoints) / 10_000n;
  return {
    paymasterVerificationGasLimit: validationGasLimit(
      validationNeed(mode, prices),
      operation,
      isSponsored ? 0n : bundlerLookupGas(prices) + advanceReserve(prices) + permitGas(permit, prices),
    ),
    paymasterPostOpGasLimit: isSponsored ? unusedPostOpGas : withMargin + postOpReserve(prices),
  };
}
