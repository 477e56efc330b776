import type { Address } from 'viem';
import type { EntryPointVersion } from './domain/entry-point-version.ts';
import type { Secret } from './domain/secret.ts';

/** A source of a USD price. `usd` is decimal text; ages are seconds. */
export type PriceSourceConfig =
  | { readonly kind: 'fixed'; readonly usd: string }
  | { readonly kind: 'chainlink'; readonly aggregator: Address; readonly maxAgeSeconds: number };

export type TokenConfig = {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly logoUrl: string;
  /** Added to the plain price, in basis points (1000 = 10 %). */
  readonly premiumBasisPoints: number;
  readonly price: PriceSourceConfig;
};

/** A deployed paymaster contract. Paymasters are registered for it by its `version`. */
export type PaymasterContractConfig = {
  readonly version: string;
  /** Name of a family in `paymaster-contracts/families.ts`. */
  readonly family: string;
  readonly address: Address;
  /** Receives the tokens of token mode. */
  readonly treasury: Address;
};

/** The signing key of a chain: an encrypted V3 keystore, or a raw key (dev only). */
export type SignerConfig =
  | { readonly kind: 'keystore'; readonly json: string; readonly password: Secret<string> }
  | { readonly kind: 'raw'; readonly privateKey: Secret<`0x${string}`> };

export type ChainConfig = {
  readonly chainId: number;
  readonly name: string;
  /** Tried in order; each call has `callTimeoutMs` before the next one is asked. */
  readonly nodeUrls: readonly string[];
  /** Used for gas estimation where given. */
  readonly bundlerUrl?: string;
  readonly callTimeoutMs: number;
  readonly entryPoints: Readonly<Partial<Record<EntryPointVersion, Address>>>;
  readonly paymasterContracts: readonly PaymasterContractConfig[];
  readonly tokens: readonly TokenConfig[];
  /** Price of the chain's own coin. */
  readonly nativePrice: PriceSourceConfig;
  readonly signer: SignerConfig;
  /** Blocks on top of an event before it enters the books. */
  readonly confirmations: number;
  readonly pollIntervalMs: number;
  /** First block that can hold a deposit for one of the paymaster contracts. */
  readonly startBlock: bigint;
  /** Highest `maxFeePerGas` that is signed, in wei. */
  readonly maxFeePerGasCeiling?: bigint;
  /** Highest worst case of one operation that is signed, in wei. */
  readonly maxCostPerOperation?: bigint;
};

export type WebhookConfig = {
  readonly allowHttp: boolean;
  /** CIDR ranges allowed although they are not public, e.g. `127.0.0.0/8`. */
  readonly allowedRanges: readonly string[];
  /** Whole callback, 2,000 by default, at most 10,000. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
};

/** Bounds of a signature's or quote's lifetime, in seconds. */
export type ValidityConfig = {
  readonly defaultSeconds: number;
  readonly minSeconds: number;
  readonly maxSeconds: number;
};

/** Everything the core is built from. Read and validated by the command that composes it; the core reads no files. */
export type CoreConfig = {
  /** Path of the SQLite file. */
  readonly databaseFile: string;
  /** 32 bytes; encrypts apiKeys and webhook secrets at rest and keys their digests. */
  readonly masterKey: Secret<Uint8Array>;
  readonly chains: readonly ChainConfig[];
  readonly webhooks: WebhookConfig;
  readonly validity: ValidityConfig;
};
