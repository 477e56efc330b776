import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from './entry-point-version.ts';
import type { SignedPaymasterData, SponsorshipMode, SponsorshipRequest } from './sponsorship.ts';

/**
 * A request of ERC-7677: a sponsorship request that names its EntryPoint. Where `context.smartAccountInfo` is missing the
 * account's kind is found from the calls. `context.mode` missing means `SPONSORED`, `calculateGasLimits` missing false.
 */
export type PaymasterDataRequest = SponsorshipRequest & { readonly entryPoint: string };

/** Paymaster fields to estimate an operation with: as long as the final ones, and never good for payment. */
export type StubFields = {
  readonly entryPointVersion: EntryPointVersion;
  readonly paymaster: Address;
  readonly paymasterAndData: Hex;
  /** Contract-specific tail of `paymasterAndData`. */
  readonly paymasterData: Hex;
  /** Gas; 0 for EntryPoint 0.6. */
  readonly paymasterVerificationGasLimit: bigint;
  /** Gas; 0 for EntryPoint 0.6. */
  readonly paymasterPostOpGasLimit: bigint;
};

/** The stub of one operation. */
export type PaymasterStub = StubFields & {
  readonly kind: 'stub';
  readonly mode: SponsorshipMode;
  /**
   * Who sponsors, to show to the user: the author of the policy, else the paymaster (DApp). Absent in token mode: the user
   * pays.
   */
  readonly sponsorName?: string;
  /** The policy's picture, as a data URI. */
  readonly sponsorIcon?: string;
  /**
   * Stands for the paymaster's signature where that is no part of what the account signs. `paymasterData` is final then.
   */
  readonly paymasterSignature?: Hex;
  readonly decisionId: string;
};

/** Signed data, and whether gas limits in it are the service's own: then the client must put them into its operation. */
export type FinalPaymasterData = { readonly signed: SignedPaymasterData; readonly gasEstimated: boolean };

/** A paymaster as its RPC endpoint names it. */
export type PaymasterKey = Pick<SponsorshipRequest, 'apiKey' | 'chainId' | 'arrival'>;

/** A token that a paymaster takes. */
export type SupportedToken = { readonly address: Address; readonly symbol: string; readonly decimals: number };

/** What is to know of a paymaster before there is an operation. */
export type PaymasterDescription = {
  /** Name of the paymaster (DApp). */
  readonly name: string;
  /** For an operation that is sponsored; for one that pays in a token where the contract only takes tokens. */
  readonly stub: StubFields;
  /** What the paymaster takes and has a price of now: base units for 10^18 wei, premium included. */
  readonly tokens: readonly (SupportedToken & { readonly exchangeRate: bigint })[];
};

/** A named policy that would sponsor an operation, as it is shown to users. */
export type SponsoringPolicy = {
  readonly policyId: string;
  readonly name: string;
  /** The paymaster's name where the policy has no author. */
  readonly author: string;
  readonly description?: string;
  readonly icon?: string;
};

/** What a token costs at this moment, without an operation. */
export type TokenRateQuote = {
  readonly token: Address;
  /** Spender that the token allowance is for. */
  readonly paymaster: Address;
  /** Token base units for 10^18 wei, premium included: what the user is charged with. */
  readonly exchangeRate: bigint;
  /** Gas that is charged for beyond the operation's own limits. */
  readonly postOpGas: bigint;
  /** Price of the chain's coin in millionths of a dollar. */
  readonly nativeUsdMicros: bigint;
};
