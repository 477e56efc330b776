import type { Address } from 'viem';
import type { DatabaseAddress } from '../base/values/database-address.ts';
import type { Secret } from '../base/values/secret.ts';
import type { UnpaidBudget } from './budget.ts';
import type { BundlerConfig } from './bundler-config.ts';
import type { Eip7702MarkerForm } from './eip7702-marker-form.ts';
import type { EntryPointVersion } from './entry-point-version.ts';
import type { FeeModelName } from './fee-model.ts';
import type { HoldCaps } from './hold-caps.ts';
import type { KnownAccountsConfig } from './known-accounts-config.ts';
import type { RelayConfig } from './relay-config.ts';
import type { SignUpMode } from './sign-in.ts';
import type { SignerConfig } from './signing/signer-config.ts';
import type { TreasuryConfig } from './treasury-config.ts';
import type { UpstreamConfig } from './upstream-config.ts';

/** A USD price set by the operator, as decimal text. */
type FixedPriceConfig = { readonly kind: 'fixed'; readonly usd: string };

/** A Chainlink-style aggregator on chain, read with `latestRoundData`. */
export type ChainlinkPriceConfig = {
  readonly kind: 'chainlink';
  readonly aggregator: Address;
  /** Oldest `updatedAt` that is taken. */
  readonly maxAgeSeconds: number;
};

/** A JSON document on the web. */
export type HttpPriceConfig = {
  readonly kind: 'http';
  /** https, or with `allowHttp` also http. May hold a key: it is never logged or answered. */
  readonly url: string;
  /** Where the USD price is, as keys and indexes: `data.amount`, `result.XETHZUSD.c[0]`. */
  readonly path: string;
  /**
   * Where the price's time is: Unix seconds or milliseconds, or an RFC 3339 text. Without it the answer is as old as
   * the request.
   */
  readonly timestampPath?: string;
  readonly maxAgeSeconds: number;
  readonly allowHttp: boolean;
};

/** A price in USD without the help of another one. */
export type PlainPriceConfig = FixedPriceConfig | ChainlinkPriceConfig | HttpPriceConfig;

/** The time-weighted mean of a Uniswap v3 pool (`observe`), against the pool's other token. */
export type UniswapPriceConfig = {
  readonly kind: 'uniswap-v3';
  readonly pool: Address;
  /** The other token of the pool. */
  readonly quoteToken: Address;
  /** What one quote token is worth; `fixed` at 1 takes a stablecoin at its word. */
  readonly quotePrice: PlainPriceConfig;
  /** The mean is taken over this time before the latest block. */
  readonly windowSeconds: number;
  /** Oldest latest block that is taken. */
  readonly maxAgeSeconds: number;
};

/** A source of a USD price. */
export type PriceSourceConfig = PlainPriceConfig | UniswapPriceConfig;

/**
 * What a token's or coin's USD price is made of. There is none when fewer sources have one, or two differ by too much.
 */
export type PriceConfig = {
  readonly sources: readonly PriceSourceConfig[];
  /** How many of the sources must have a price. */
  readonly minimumSources: number;
  /** How far the highest may be above the lowest, in basis points of the lowest. */
  readonly maximumDeviationBasisPoints: number;
};

export type TokenConfig = {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly logoUrl: string;
  /** Added to the plain price, in basis points (1000 = 10 %). */
  readonly premiumBasisPoints: number;
  readonly price: PriceConfig;
};

/** A deployed paymaster contract. Paymasters are registered for it by its `version`. */
export type PaymasterContractConfig = {
  readonly version: string;
  /** Name of a family in `paymaster-contracts/families.ts`. */
  readonly family: string;
  readonly address: Address;
  /** Receives the tokens of token mode. */
  readonly treasury: Address;
  /**
   * What a customer is charged for a gas cost, in millionths of it, for families with a markup (1,100,000 adds 10 %);
   * 1,000,000 when absent.
   */
  readonly priceMarkup?: number;
  /** In token mode: added to the token's own premium, in basis points; 0 when absent. 1000 and 200 make 12 %. */
  readonly premiumBasisPoints?: number;
};

/** How far above the chain's own a gas price may be. */
export type GasPriceBounds = {
  /** Of `maxFeePerGas` less the tip, in base fees; counts to two decimals. */
  readonly maxBaseFeeMultiple: number;
  /** Of `maxPriorityFeePerGas`, in tips that the node suggests; counts to two decimals. */
  readonly maxTipMultiple: number;
  /** A tip that is always allowed, in wei per gas. */
  readonly minTip: bigint;
};

/** A block explorer that tells the ABIs of verified contracts. */
export type ExplorerConfig =
  /** A server with Sourcify's API v2, `https://sourcify.dev/server`. */
  | { readonly kind: 'sourcify'; readonly url: string }
  /** One with Etherscan's API v2, `https://api.etherscan.io/v2/api`. */
  | { readonly kind: 'etherscan'; readonly url: string; readonly apiKey: Secret<string> };

export type ChainConfig = {
  readonly chainId: number;
  readonly name: string;
  /** Tried in order; the next one when one fails or is slow. Each has `callTimeoutMs` for a call. */
  readonly nodeUrls: readonly string[];
  /** Asked for gas limits next to the nodes where given; its limits are signed where they hold on the nodes. */
  readonly bundler?: BundlerConfig;
  /** Has operations relayed without a paymaster contract; none are when absent. */
  readonly relay?: RelayConfig;
  /** Asked for ABIs where account holders want one; none when absent. */
  readonly explorer?: ExplorerConfig;
  /** The explorer that people look at: `https://basescan.org`. No one asks it. */
  readonly explorerPageUrl?: string;
  /**
   * Accounts that send bundles. Where a paymaster contract can be told (the singletons), no other may carry what is
   * signed; without any, everybody may.
   */
  readonly bundlers?: readonly Address[];
  /** How the chain's bundlers pack the EIP-7702 marker; `as-sent` when absent. */
  readonly eip7702Marker?: Eip7702MarkerForm;
  readonly callTimeoutMs: number;
  /**
   * How the chain charges beyond the gas that is used, for our own estimates. When absent, in the way that its id is known
   * for, or not at all (`feeModelOf`).
   */
  readonly dataFee?: FeeModelName;
  /**
   * Highest given call and verification gas limit as a part of our own estimate, in basis points: 12,500, which is a
   * quarter more, when absent.
   */
  readonly maxGasOverEstimate?: number;
  /** The same for `preVerificationGas`, all of which the sponsor pays: 12,500, which is a quarter more, when absent. */
  readonly maxPreVerificationGasOverEstimate?: number;
  /** Most gas that bundlers put into one transaction: the limits of an operation may come to this much. 16,000,000 when absent. */
  readonly transactionGasCap?: number;
  /** Signs also operations whose own call reverts; they cost the sponsor nevertheless. */
  readonly allowRevertingOperations?: boolean;
  readonly entryPoints: Readonly<Partial<Record<EntryPointVersion, Address>>>;
  readonly paymasterContracts: readonly PaymasterContractConfig[];
  readonly tokens: readonly TokenConfig[];
  /** Price of the chain's own coin. */
  readonly nativePrice: PriceConfig;
  /** Of a layer 2: Chainlink's feed that tells whether its sequencer runs. Without a running one no price is taken. */
  readonly sequencerUptime?: {
    readonly feed: Address;
    /** How long after a restart prices are still not taken: feeds and pools have to catch up. */
    readonly graceSeconds: number;
  };
  readonly signer: SignerConfig;
  /** Keys before it, the newest first: one signs for a contract that does not accept a newer one yet. */
  readonly previousSigners?: readonly SignerConfig[];
  /** Blocks on top of an event before it enters the ledger. */
  readonly confirmations: number;
  readonly pollIntervalMs: number;
  /** By how many seconds our clock and the newest block may differ; 300 when absent. */
  readonly maxClockDifferenceSeconds?: number;
  /** First block that can hold a deposit for one of the paymaster contracts. */
  readonly startBlock: bigint;
  /** The code of accounts that is known next to the published kinds, and the gas that accounts get. */
  readonly accounts?: KnownAccountsConfig;
  /** The defaults of `core/gas/fees/gas-price-bounds.ts` when absent; `none` signs any price below the ceilings. */
  readonly gasPrice?: GasPriceBounds | 'none';
  /** Highest `maxFeePerGas` that is signed, in wei. */
  readonly maxFeePerGasCeiling?: bigint;
  /** Highest worst case of one operation that is signed, in wei. */
  readonly maxCostPerOperation?: bigint;
  /** Asked while the gas tank, the signer or the paymaster contract is out; none when absent. */
  readonly upstream?: UpstreamConfig;
  /** Tops up executors and deposits from a hot wallet; nothing is topped up when absent. */
  readonly treasury?: TreasuryConfig;
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
  /** The longest that a policy may have signatures of sponsored mode last (`maxValiditySeconds`); `maxSeconds` when absent. */
  readonly maxSecondsByPolicy?: number;
};

/** How long the records of decisions are kept. What they came to stays in the usage for good. */
type DecisionsConfig = {
  readonly keepDays: number;
  /** Of all paymasters together; the oldest go first. */
  readonly keepMost: number;
};

/** How long entries of the audit log are kept: for good where nothing is said. */
type AuditLogConfig = { readonly keepDays?: number };

/** How long the ledger keeps what each operation has left: for good where nothing is said. Its sums stay. */
type LedgerConfig = { readonly keepDays?: number };

/** Everything the core is built from. Read and validated by the command that composes it; the core reads no files. */
export type CoreConfig = {
  readonly database: DatabaseAddress;
  /** 32 bytes; encrypts apiKeys and webhook secrets at rest and keys their digests. */
  readonly masterKey: Secret<Uint8Array>;
  /** Those before it, under which something may still be sealed or digested. */
  readonly previousMasterKeys?: readonly Secret<Uint8Array>[];
  readonly auditLog?: AuditLogConfig;
  readonly ledger?: LedgerConfig;
  readonly chains: readonly ChainConfig[];
  readonly webhooks: WebhookConfig;
  readonly validity: ValidityConfig;
  readonly decisions: DecisionsConfig;
  /** Who gets an account by signing in; `closed` when absent. */
  readonly signUp?: SignUpMode;
  /** Ids of the accounts whose owners operate the service; none when absent. */
  readonly operators?: readonly string[];
  /** `defaultHoldCaps` when absent. */
  readonly holds?: HoldCaps;
  /** `defaultUnpaidBudget` when absent. */
  readonly tokenPayments?: UnpaidBudget;
};
