import type { AbiEvent, AbiFunction, Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../../domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { UnitPrices } from '../../../domain/unit-prices.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../../domain/user-operation.ts';
import type { Signer } from '../../signer/signer.ts';
import type { ValidatedData } from './validation-gas.ts';

/** A deployed contract of a family. */
export type PaymasterContract = {
  readonly chainId: number;
  readonly address: Address;
  readonly entryPoint: Address;
  /** The only bundlers that may carry signed operations, where the contract can enforce it; any bundler when absent. */
  readonly allowedBundlers?: readonly Address[];
  /** For a relay, whose address is its EntryPoint's: the wallets that pay for relayed operations. */
  readonly executors?: readonly Address[];
};

/** What a relayed operation can cost in addition to its own gas limits. */
type RelayPrice = {
  /** The most that the executors pay per gas, in wei. */
  readonly gasPrice: bigint;
  /** Most gas of the bundle outside the operation's other limits. */
  readonly overheadGas: bigint;
  /** The highest data fee of a layer 2, in wei. */
  readonly dataFee: bigint;
};

/** The application pays. Times are Unix seconds; `validUntil` is never 0. */
export type SponsoredTerms = {
  readonly mode: 'SPONSORED';
  readonly validUntil: number;
  readonly validAfter: number;
  /** The wallet whose gas tank pays; the `paymasterId` of contracts with a balance per customer. */
  readonly fundingWallet: Address;
  /** The customer's charge in millionths of the gas cost; for contracts that have a markup. */
  readonly priceMarkup: number;
  /** For a relayed operation, once its gas limits are known. */
  readonly relay?: RelayPrice;
} & SignatureForm;

/**
 * The sender's token permit for the paymaster contract (EIP-2612): base units, Unix seconds, and a signature. It has 65
 * bytes (`r`, `s`, `v`), or any length for tokens that verify with the sender's contract (ERC-1271).
 */
export type TokenPermit = { readonly value: bigint; readonly deadline: bigint; readonly signature: Hex };

/** The user pays in a token. Times are Unix seconds; `validUntil` is never 0. */
export type TokenTerms = {
  readonly mode: 'ERC20';
  readonly validUntil: number;
  readonly validAfter: number;
  readonly token: Address;
  /** Token base units for 10^18 wei, premium included. */
  readonly exchangeRate: bigint;
  /** The receiver of the tokens, where the signature covers it; other contracts set their own. */
  readonly tokenRecipient: Address;
  /** What the chain charges: contracts whose charge for `postOp` is signed get it from these prices. */
  readonly prices: UnitPrices;
  /**
   * Base units that validation takes before the account's call, where the family supports it. postOp refunds any excess from
   * the token recipient, which must have approved the contract. None when absent.
   */
  readonly inAdvance?: bigint;
  /** The permit that validation forwards to the token, for families with {@link PaymasterContractFamily.takesPermits}. */
  readonly permit?: TokenPermit;
} & SignatureForm;

/**
 * Whether the paymaster's signature is excluded from what the account signs, so that both can sign in parallel (EntryPoint
 * 0.9). Only for families that have {@link PaymasterContractFamily.readStubTerms}.
 */
type SignatureForm = { readonly signatureTrails?: true };

/** The terms that a stub promised to sign. Times are Unix seconds, the rate base units for 10^18 wei. */
export type StubTerms =
  | Pick<SponsoredTerms, 'mode' | 'validUntil' | 'validAfter'>
  | Pick<TokenTerms, 'mode' | 'validUntil' | 'validAfter' | 'token' | 'exchangeRate'>;

/** What a signature says. */
export type SignedTerms = SponsoredTerms | TokenTerms;

/**
 * A call to the deployed contract whose answer must be `expected` (or pass `accepts`), with the message if it is not;
 * `remedy` is a sentence with the fix. `about` marks the answer, one word, that decides whether the contract accepts the
 * key: while it differs, nothing signed by the key is carried.
 */
export type PreflightCheck = {
  readonly data: Hex;
  readonly complaint: string;
  readonly remedy?: string;
  readonly about?: 'signer';
} & ({ readonly expected: Hex } | { readonly accepts: (answer: Hex) => boolean });

/**
 * How to read a customer's balance from a contract that keeps one per customer. The customer is the funding wallet. The
 * first argument of each event is the wallet, the first number the wei.
 */
export type CustomerFunding = {
  /** Call data that reads the wallet's balance; the answer is one word, in wei. */
  balanceData(wallet: Address): Hex;
  /** Payable function that fills a wallet's balance; its only argument is the wallet, and anyone may call it. */
  readonly depositFunction: AbiFunction;
  /**
   * Function with which the contract's owner credits wallets with wei of the deposit that no balance includes. Its arguments
   * are two lists: wallets and wei. Absent where the contract has no such function; these wei are then lost.
   */
  readonly refundFunction?: AbiFunction;
  /** Event for an increase of a balance. */
  readonly depositEvent: AbiEvent;
  readonly withdrawalEvent: AbiEvent;
  /** Events for charging an operation's cost to a balance: one per operation, before its `UserOperationEvent`. */
  readonly chargeEvents: readonly AbiEvent[];
  /**
   * True where validation takes more from the balance than the charge event reports and postOp refunds. The total is then
   * computed from the balances before and after the block.
   */
  readonly chargesMoreThanReported?: true;
};

/** See {@link PaymasterContractFamily.verificationGas}. */
export type VerificationGas = { readonly unseen: bigint; readonly min: bigint };

/**
 * A kind of paymaster contract: the layout of its `paymasterAndData`, the digest to sign, its stub, its maximum charge and
 * the checks of a deployed contract. Pure: calls are described here and made elsewhere.
 */
export type PaymasterContractFamily = {
  readonly name: string;
  readonly entryPointVersion: EntryPointVersion;
  readonly modes: readonly SponsorshipMode[];
  /** `never`: the contract has no window, so a signature stays valid until its nonce is used, and its hold stays as long. */
  readonly signatureExpiry: 'window' | 'never';
  /** Markups the contract accepts, in millionths. Absent when it has none. */
  readonly priceMarkups?: { readonly min: number; readonly max: number };
  readonly customerFunding?: CustomerFunding;
  /**
   * Events that report a user's token payment, one per operation, before its `UserOperationEvent`. The arguments are named
   * `userOperationHash`, `token` and `amount` (base units) here, whatever the contract calls them. The zero address as token
   * means that the operation was sponsored.
   */
  readonly tokenPaymentEvents?: readonly AbiEvent[];
  /**
   * Gas that the paymaster itself needs per mode at a chain's prices: for this operation, or without one for any accepted
   * operation. Both limits are 0 for 0.6, which has none for paymasters. A permit needs extra gas.
   */
  paymasterGasLimits(
    mode: SponsorshipMode,
    prices: UnitPrices,
    operation?: ValidatedData,
    permit?: TokenPermit,
  ): Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;
  /**
   * What happens in token mode when the sender no longer has the tokens at payment. `carried`: the operation lands at the
   * sponsor's cost, unless {@link mostInAdvance} was taken. `not-carried`: the EntryPoint rejects it, since the contract
   * takes tokens in validation or makes the bundle revert. Absent for families without tokens.
   */
  readonly withoutPayment?: 'carried' | 'not-carried';
  /**
   * The most base units that these terms may take in validation ({@link TokenTerms.inAdvance}), never more than the operation
   * can cost. Absent if the contract cannot take tokens in advance.
   */
  mostInAdvance?(operation: UserOperationWithGas, signedTerms: TokenTerms): bigint;
  /** True where validation forwards the sender's permit to the token ({@link TokenTerms.permit}). */
  readonly takesPermits?: true;
  /**
   * The part of token mode's paymaster verification gas that only a payment in advance needs; absent where there is none.
   */
  advanceGas?(prices: UnitPrices): bigint;
  /**
   * The part of token mode's paymaster limits that only the first transfer to a token recipient without this token needs: a new
   * slot instead of a changed one. Absent where the limits have no such part.
   */
  emptyTokenRecipientGas?(
    prices: UnitPrices,
  ): Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;
  /**
   * For contracts that accept a signature after the data that the account signs ({@link SignatureForm}): reads the terms
   * that a stub put into `paymasterData`. Undefined for other data. Absent where the contract has no such form.
   */
  readStubTerms?(paymasterData: Hex): StubTerms | undefined;
  /**
   * For 0.6 contracts that stop validating at an unknown signature: the gas of the rest of validation and of postOp, which
   * an estimate with a stub cannot include. `unseen` is added to an estimated `verificationGasLimit`; below `min` the
   * contract would fail.
   */
  verificationGas?(prices: UnitPrices): VerificationGas;
  /**
   * Call data that reads one word of contract state that the digest includes. The answer is passed to {@link prepare} as
   * `state`.
   */
  stateData?(operation: UserOperation): Hex;
  /**
   * `paymasterAndData` without its signature, and the 32-byte hash to sign as an EIP-191 message. `state` is the answer to
   * {@link stateData}, for families that have it. Throws `RangeError` when a number does not fit its field and `TypeError`
   * for a mode that is not in `modes`.
   */
  prepare(
    contract: PaymasterContract,
    operation: UserOperationWithGas,
    signedTerms: SignedTerms,
    state?: Hex,
  ): { readonly unsigned: Hex; readonly digest: Hex };
  /** The final `paymasterAndData`: the unsigned part with a 65-byte signature. */
  assemble(unsigned: Hex, signature: Hex): Hex;
  /**
   * `paymasterAndData` for estimation: as long as the final one, with no more zero bytes, taking the same path on chain up
   * to the signature check, and with a signature that no paymaster accepts.
   */
  stub(contract: PaymasterContract, operation: UserOperationWithGas, signedTerms: SignedTerms): Hex;
  /** The most wei that EntryPoint and contract can take from the sponsor's deposit for this operation. */
  worstCase(operation: UserOperationWithGas, signedTerms: SignedTerms): bigint;
  /** The most token base units these terms can take from the user, rounded up. 0 in `SPONSORED` mode. */
  maximumTokenCharge(operation: UserOperationWithGas, signedTerms: SignedTerms): bigint;
  /** Checks of a deployed contract before anything is signed for it: it accepts our key, and its hash equals ours. */
  preflight(contract: PaymasterContract, signer: Address): readonly PreflightCheck[];
};

/** A configured paymaster contract: its family, its address, its token receiver, its markup in millionths. */
export type PaymasterContractRuntime = {
  readonly version: string;
  readonly family: PaymasterContractFamily;
  readonly location: PaymasterContract;
  readonly tokenRecipient: Address;
  readonly priceMarkup: number;
  /** Added to a token's own premium in token mode, in basis points. */
  readonly premiumBasisPoints: number;
  /** The signing key: the newest one that the contract accepts. */
  readonly signer: Signer;
  /** Why nothing is signed for the contract, as a sentence: it does not match the configuration. */
  readonly fault?: string;
};
