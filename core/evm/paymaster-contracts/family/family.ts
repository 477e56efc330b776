import type { AbiEvent, AbiFunction, Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../../domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../../domain/sponsorship.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../../domain/user-operation.ts';
import type { ValidatedData } from './validation-gas.ts';

/** Where a family is deployed. */
export type PaymasterContract = {
  readonly chainId: number;
  readonly address: Address;
  readonly entryPoint: Address;
  /** The only ones that may carry what is signed, where the contract can be told; anybody when absent. */
  readonly bundlers?: readonly Address[];
  /** Of a relay, whose address is its EntryPoint's: the wallets that pay for what it relays. */
  readonly executors?: readonly Address[];
};

/** What a relayed operation can cost next to its own gas limits. */
type RelayPrice = {
  /** The most that the executors pay for a gas, in wei. */
  readonly gasPrice: bigint;
  /** Gas of the bundle outside of the operation's other limits, at most. */
  readonly overheadGas: bigint;
  /** The most that a layer 2 takes for data, in wei. */
  readonly dataFee: bigint;
};

/** The application pays. Times are Unix seconds; `validUntil` is never 0. */
export type SponsoredGrant = {
  readonly mode: 'SPONSORED';
  readonly validUntil: number;
  readonly validAfter: number;
  /** Whose gas tank pays; the `paymasterId` of contracts that keep a balance for each customer. */
  readonly fundingWallet: Address;
  /** What the customer is charged for a gas cost, in millionths of it; for contracts that have a markup. */
  readonly priceMarkup: number;
  /** Of an operation that is relayed, once its gas limits are known. */
  readonly relay?: RelayPrice;
} & SignatureForm;

/**
 * The sender's permit of the token for the paymaster contract (EIP-2612): base units, Unix seconds, and a signature of 65 bytes,
 * `r`, `s` and `v`, or any other number of bytes for tokens that ask the sender's contract (ERC-1271).
 */
export type TokenPermit = { readonly value: bigint; readonly deadline: bigint; readonly signature: Hex };

/** The user pays in a token. Times are Unix seconds; `validUntil` is never 0. */
export type TokenGrant = {
  readonly mode: 'ERC20';
  readonly validUntil: number;
  readonly validAfter: number;
  readonly token: Address;
  /** Token base units for 10^18 wei, premium included. */
  readonly exchangeRate: bigint;
  /** Who receives the tokens, where the signature says so; other contracts have their own idea of it. */
  readonly treasury: Address;
  /**
   * Base units that validation takes, before the account's call, where the family can: what is more than the charge comes
   * back in postOp, out of the treasury, which has approved the contract for it. None when absent.
   */
  readonly inAdvance?: bigint;
  /** What validation passes on to the token, for families that have {@link PaymasterContractFamily.takesPermits}. */
  readonly permit?: TokenPermit;
} & SignatureForm;

/**
 * Whether the signature stands behind what the account signs, so that both can sign at the same time (EntryPoint 0.9). Only
 * for families that have {@link PaymasterContractFamily.readPromise}.
 */
type SignatureForm = { readonly signatureTrails?: true };

/** What a stub has promised to sign. Times are Unix seconds, the rate base units for 10^18 wei. */
export type PromisedTerms =
  | Pick<SponsoredGrant, 'mode' | 'validUntil' | 'validAfter'>
  | Pick<TokenGrant, 'mode' | 'validUntil' | 'validAfter' | 'token' | 'exchangeRate'>;

/** What a signature grants. */
export type Grant = SponsoredGrant | TokenGrant;

/**
 * A call to the deployed contract that must answer `expected` (or something that `accepts` takes), and what to say of
 * the contract if it does not; `remedy` is a sentence about what would be right. `about` that whether the contract accepts
 * the key hangs on this answer: one word, and while it is another one nothing that the key has signed is carried.
 */
export type PreflightCheck = {
  readonly data: Hex;
  readonly complaint: string;
  readonly remedy?: string;
  readonly about?: 'signer';
} & ({ readonly expected: Hex } | { readonly accepts: (answer: Hex) => boolean });

/**
 * How a contract that keeps a balance for each customer is asked about it. The customer is the funding wallet. Of its
 * events the first argument is the wallet and the first number the wei.
 */
export type CustomerFunding = {
  /** Call data that asks the contract for the wallet's balance; the answer is one word, in wei. */
  balanceData(wallet: Address): Hex;
  /** Payable function of the contract, of the wallet alone, with which anybody fills its balance. */
  readonly depositFunction: AbiFunction;
  /**
   * Function with which the contract's owner adds wei of the deposit that are in no balance to those of some wallets: of
   * the wallets and the wei, two lists. Absent where the contract has none: such wei do not come back then.
   */
  readonly refundFunction?: AbiFunction;
  /** Event of the contract with which a balance grows. */
  readonly depositEvent: AbiEvent;
  /** Event with which the customer takes from the balance. */
  readonly withdrawalEvent: AbiEvent;
  /**
   * Events with which the contract takes from the balance what an operation costs the customer: one of them for each
   * operation, before its `UserOperationEvent`.
   */
  readonly chargeEvents: readonly AbiEvent[];
  /**
   * True where validation takes more from the balance than the charge event tells and postOp gives back: the whole is
   * then known from the balances before and after the block.
   */
  readonly chargesMoreThanReported?: true;
};

/**
 * A kind of paymaster contract: the layout of its `paymasterAndData`, the digest its signer signs, its stub, what it can
 * charge and what to ask a deployed one. Pure: no I/O; calls are described here and made by others.
 */
export type PaymasterContractFamily = {
  readonly name: string;
  readonly entryPointVersion: EntryPointVersion;
  readonly modes: readonly SponsorshipMode[];
  /** `never`: the contract knows no window, so a signature is good until its nonce is used and its hold stays as long. */
  readonly signatureExpiry: 'window' | 'never';
  /** Markups the contract takes, in millionths. Absent when it has none. */
  readonly priceMarkups?: { readonly min: number; readonly max: number };
  readonly customerFunding?: CustomerFunding;
  /**
   * Events that tell what a user paid in a token, one for each operation, before its `UserOperationEvent`. Their arguments
   * are named here `userOperationHash`, `token` and `amount` (base units), whatever the contract calls them. One with the
   * zero address as its token tells of an operation that was sponsored.
   */
  readonly tokenPaymentEvents?: readonly AbiEvent[];
  /**
   * Gas the paymaster itself needs per mode: for this operation, or for any that is accepted when there is none yet. For
   * 0.6 both limits are 0: it has none of its own. A permit needs gas of its own.
   */
  paymasterGasLimits(
    mode: SponsorshipMode,
    operation?: ValidatedData,
    permit?: TokenPermit,
  ): Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;
  /**
   * What becomes of an operation in token mode whose tokens are gone when they are to be taken. `carried`: it lands, at the
   * sponsor's cost, unless {@link mostInAdvance} was taken. `not-carried`: the EntryPoint does not take it, since the
   * contract takes tokens in validation or has the bundle revert. Absent for families that take no tokens.
   */
  readonly withoutPayment?: 'carried' | 'not-carried';
  /**
   * The most base units that this grant may take in validation ({@link TokenGrant.inAdvance}), never more than the
   * operation can cost. Absent where the contract does not take a part in advance.
   */
  mostInAdvance?(operation: UserOperationWithGas, grant: TokenGrant): bigint;
  /** True where validation passes a permit of the sender on to the token ({@link TokenGrant.permit}). */
  readonly takesPermits?: true;
  /** Gas in the paymaster's verification limit of token mode that only a payment in advance needs; absent where there is none. */
  readonly advanceGas?: bigint;
  /**
   * For contracts that take a signature behind what the account signs ({@link SignatureForm}): reads back what a stub has put
   * into `paymasterData`. Undefined for data that is not of this form. Absent where the contract has no such form.
   */
  readPromise?(paymasterData: Hex): PromisedTerms | undefined;
  /**
   * For 0.6 contracts that stop validating at a signature they do not know: gas of the rest of the validation and of
   * postOp, which no estimate with a stub sees. `unseen` comes on top of an estimated `verificationGasLimit`; below
   * `least` the contract would fail.
   */
  readonly verificationGas?: { readonly unseen: bigint; readonly min: bigint };
  /**
   * Call data that asks the contract for one word of state that its digest holds. What it answers goes into
   * {@link prepare} as `state`.
   */
  stateData?(operation: UserOperation): Hex;
  /**
   * `paymasterAndData` without its signature, and the 32-byte hash that is signed as an EIP-191 message. `state` is the
   * answer to {@link stateData}, for families that have it. Throws `RangeError` when a number does not fit its field and
   * `TypeError` for a grant of a mode that is not among `modes`.
   */
  prepare(
    contract: PaymasterContract,
    operation: UserOperationWithGas,
    grant: Grant,
    state?: Hex,
  ): { readonly unsigned: Hex; readonly digest: Hex };
  /** The final `paymasterAndData`: the unsigned part with a 65-byte signature. */
  assemble(unsigned: Hex, signature: Hex): Hex;
  /**
   * `paymasterAndData` for estimation: as long as the final one, with no more zero bytes, the same path on chain up to
   * the signature's check, and a signature that no paymaster accepts.
   */
  stub(contract: PaymasterContract, operation: UserOperationWithGas, grant: Grant): Hex;
  /** The most wei that EntryPoint and contract can take from the sponsor's deposit for this operation. */
  worstCase(operation: UserOperationWithGas, grant: Grant): bigint;
  /** The most token base units this grant can take from the user, rounded up. 0 in `SPONSORED` mode. */
  maximumTokenCharge(operation: UserOperationWithGas, grant: Grant): bigint;
  /** What to ask a deployed contract before anything is signed for it: that our key is its signer and it hashes as we do. */
  preflight(contract: PaymasterContract, signer: Address): readonly PreflightCheck[];
};
