import { decisionModes } from '@tollfree/contract/decision-fields';
import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from './entry-point-version.ts';
import type { Arrival } from './keys/arrival.ts';
import type { GasLimits, RawUserOperation } from './user-operation.ts';

/** Who pays: the paymaster, or the user in a token. */
export { decisionModes as sponsorshipModes };
export type SponsorshipMode = (typeof decisionModes)[number];

/** `params[1]` of the interface's RPC methods, as sent. `webhookDataJson` is the caller's object as JSON text. */
export type SponsorshipContext = {
  readonly mode?: string;
  /** The named policy that is to decide; without it, or empty, the default one. */
  readonly policyId?: string;
  readonly calculateGasLimits?: boolean;
  /** With estimated limits: those of the operation are kept where they suffice and are not far above the need. */
  readonly keepsGivenLimits?: boolean;
  /** Wished lifetime of the signature or quote, in seconds; clamped to the operator's bounds. */
  readonly expiryDuration?: number;
  readonly webhookDataJson?: string;
  readonly sponsorshipInfoGiven: boolean;
  /** A signed JWT that the user has from the application, as sent. */
  readonly ticket?: string;
  /** Wish of the client to sign while the paymaster does, with a signature of the paymaster's apart (EntryPoint 0.9). */
  readonly parallelSigning?: boolean;
  readonly smartAccountInfo?: { readonly name: string; readonly version: string };
  readonly tokenInfo?: {
    readonly preferredToken?: string;
    readonly tokenList?: readonly string[];
    readonly feeTokenAddress?: string;
  };
  /** A permit for the paymaster contract that the sender has signed (EIP-2612), as sent. */
  readonly permit?: {
    readonly value?: string;
    readonly deadline?: string;
    readonly signature?: string;
  };
};

export type SponsorshipRequest = {
  readonly apiKey: string;
  readonly chainId: number;
  readonly userOperation: RawUserOperation;
  readonly context: SponsorshipContext;
  /** Whom the gateway counts the request under: an address or a network. Absent for internal callers. */
  readonly clientAddress?: string;
  /** Absent for internal callers. A key that is bound to something of it is then refused. */
  readonly arrival?: Arrival;
};

/** Signed paymaster data (interface 2.5). For 0.7 and up `paymasterAndData` is the packed form of the parts. */
export type SignedPaymasterData = {
  readonly kind: 'signed';
  readonly mode: SponsorshipMode;
  readonly entryPointVersion: EntryPointVersion;
  readonly paymaster: Address;
  readonly paymasterAndData: Hex;
  /** Contract-specific tail of `paymasterAndData`. */
  readonly paymasterData: Hex;
  /** The paymaster's signature where it is no part of what the account signs, and then not in `paymasterData`. */
  readonly paymasterSignature?: Hex;
  readonly gas: GasLimits;
  /** Unix seconds, never 0. */
  readonly validUntil: number;
  readonly decisionId: string;
};

/** One token's price for an operation (interface 2.6). */
export type FeeQuote = {
  readonly symbol: string;
  readonly decimal: number;
  readonly tokenAddress: Address;
  /** The most the operation can cost, premium included, in token base units, rounded up. */
  readonly maxGasFee: bigint;
  /** The same in USD, in millionths of a dollar, rounded up. */
  readonly maxGasFeeUsdMicros: bigint;
  /** Token base units for 10^18 wei, premium not included; of a share the user's part. */
  readonly exchangeRate: bigint;
  /** Basis points over the plain price, e.g. 1000 for 10 %. */
  readonly premiumBasisPoints: number;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly logoUrl: string;
  /** What the user pays of the gas, in percent, where the rest is sponsored. The quote is of that part. */
  readonly userPaysPercent?: number;
};

export type TokenQuotes = {
  readonly kind: 'quotes';
  readonly paymasterAddress: Address;
  readonly feeQuotes: readonly FeeQuote[];
  /** Requested tokens the service does not take, as they were sent. */
  readonly unsupportedTokens: readonly string[];
  readonly decisionId: string;
};
