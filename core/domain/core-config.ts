import type { Address } from 'viem';
import type { DatabaseAddress } from '../base/values/database-address.ts';
import type { Secret } from '../base/values/secret.ts';
import type { UnpaidBudget } from './budget.ts';
import type {
  BundlerConfig,
  FeeModelName,
  HoldCaps,
  HotWalletConfig,
  RelayConfig,
  VendorConfig,
} from './chain-config.ts';
import type { EntryPointVersion } from './entry-point-version.ts';
import type { KnownAccountsConfig } from './known-accounts-config.ts';
import type { SignUpMode } from './sign-in.ts';
import type { SignerConfig } from './signer-config.ts';
import type { Eip7702MarkerForm } from './user-operation.ts';

/** A USD price set by the operator, as decimal text. */
type FixedPriceConfig = { readonly kind: 'fixed'; readonly usd: string };

/** A Chainlink-style aggregator on chain, read with `latestRoundData`. */
export type ChainlinkPriceConfig = {
  readonly kind: 'chainlink';
  readonly aggregator: Address;
  /** Oldest accepted `updatedAt`. */
  readonly maxAgeSeconds: number;
};

/** A JSON document on the web. */
export type HttpPriceConfig = {
  readonly kind: 'http';
  /** https, or with `allowHttp` also http. May contain a key: it is never logged or returned. */
  readonly url: string;
  /** Path of the USD price, as keys and indexes: `data.amount`, `result.XETHZUSD.c[0]`. */
  readonly path: string;
  /**
   * Path of the price's time: Unix seconds or milliseconds, or an RFC 3339 text. Without it the answer is dated by the
   * request.
   */
  readonly timestampPath?: string;
  readonly maxAgeSeconds: number;
  readonly allowHttp: boolean;
};

/** A USD price that does not depend on another price. */
export type PlainPriceConfig = FixedPriceConfig | ChainlinkPriceConfig | HttpPriceConfig;

/** The time-weighted mean of a Uniswap v3 pool (`observe`), against the pool's other token. */
export type UniswapPriceConfig = {
  readonly kind: 'uniswap-v3';
  readonly pool: Address;
  /** The other token of the pool. */
  readonly quoteToken: Address;
  /** The worth of one quote token; `fixed` at 1 assumes that a stablecoin holds its peg. */
  readonly quotePrice: PlainPriceConfig;
  /** Length of the averaging window before the latest block. */
  readonly windowSeconds: number;
  /** Oldest accepted latest block. */
  readonly maxAgeSeconds: number;
};

/** A source of a USD price. */
export type PriceSourceConfig = PlainPriceConfig | UniswapPriceConfig;

/**
 * How the USD price of a token or coin is determined. There is none if too few sources have one, or if two differ by too
 * much.
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
  /** Storage slot of the mapping of balances, by holder; absent if it is not known. */
  readonly balanceSlot?: bigint;
  /** Storage slot of the mapping of allowances, by holder and spender; absent if it is not known. */
  readonly allowanceSlot?: bigint;
};

/** A deployed paymaster contract. Paymasters are registered for it by its `version`. */
export type PaymasterContractConfig = {
  readonly version: string;
  /** Name of a family in `paymaster-contracts/families.ts`. */
  readonly family: string;
  readonly address: Address;
  /** Receives the tokens of token mode. */
  readonly tokenRecipient: Address;
  /**
   * The customer's charge in millionths of the gas cost, for families with a markup (1,100,000 adds 10 %); 1,000,000 when
   * absent.
   */
  readonly priceMarkup?: number;
  /** In token mode: added to the token's own premium, in basis points; 0 when absent. 1000 and 200 make 12 %. */
  readonly premiumBasisPoints?: number;
};

/** How far a gas price may exceed the chain's. */
export type GasPriceBounds = {
  /** For `maxFeePerGas` less the tip, as a multiple of the base fee; two decimals count. */
  readonly maxBaseFeeMultiple: number;
  /** For `maxPriorityFeePerGas`, as a multiple of the tip that the node suggests or recent blocks paid; two decimals count. */
  readonly maxTipMultiple: number;
  /** A tip that is always allowed, in wei per gas. */
  readonly minTip: bigint;
};

/** A block explorer that returns the ABIs of verified contracts. */
export type ExplorerConfig =
  /** A server with Sourcify's API v2, `https://sourcify.dev/server`. */
  | { readonly kind: 'sourcify'; readonly url: string }
  /** A server with Etherscan's API v2, `https://api.etherscan.io/v2/api`. */
  | { readonly kind: 'etherscan'; readonly url: string; readonly apiKey: Secret<string> };

export type ChainConfig = {
  readonly chainId: number;
  readonly name: string;
  /** Tried in order; the next one when one fails or is slow. Each has `callTimeoutMs` per call. */
  readonly nodeUrls: readonly string[];
  /** If given, asked for gas limits in addition to the nodes; its limits are signed if they work on the nodes. */
  readonly bundler?: BundlerConfig;
  /** Relays operations without a paymaster contract; none are relayed when absent. */
  readonly relay?: RelayConfig;
  /** Asked for ABIs at an account holder's request; none are available when absent. */
  readonly explorer?: ExplorerConfig;
  /** The explorer linked for people: `https://basescan.org`. The service does not call it. */
  readonly explorerPageUrl?: string;
  /**
   * Accounts that send bundles. Where a paymaster contract can enforce it (the singletons), no other account may carry
   * signed operations. If empty, anyone may.
   */
  readonly allowedBundlers?: readonly Address[];
  /** How the chain's bundlers pack the EIP-7702 marker; `as-sent` when absent. */
  readonly eip7702Marker?: Eip7702MarkerForm;
  readonly callTimeoutMs: number;
  /**
   * How the chain charges beyond the gas used, for our own estimates. When absent, the known way for its id, or what its
   * code shows (`findFeeModel`).
   */
  readonly dataFee?: FeeModelName;
  /**
   * Highest given call and verification gas limit relative to our own estimate, in basis points; 12,500 (a quarter more)
   * when absent.
   */
  readonly maxGasOverEstimate?: number;
  /** Highest given `preVerificationGas`, all of which the sponsor pays, relative to our own estimate, in basis points; 12,500 (a quarter more) when absent. */
  readonly maxPreVerificationGasOverEstimate?: number;
  /**
   * Most gas that bundlers put into one transaction: the sum of an operation's limits may reach this. 16,000,000 when
   * absent.
   */
  readonly transactionGasCap?: number;
  /** Also signs operations whose own call reverts; they still cost the sponsor gas. */
  readonly allowRevertingOperations?: boolean;
  readonly entryPoints: Readonly<Partial<Record<EntryPointVersion, Address>>>;
  readonly paymasterContracts: readonly PaymasterContractConfig[];
  readonly tokens: readonly TokenConfig[];
  /** Price of the chain's own coin. */
  readonly nativePrice: PriceConfig;
  /** For a layer 2: Chainlink's feed for the uptime of its sequencer. Without a running sequencer no price is accepted. */
  readonly sequencerUptime?: {
    readonly feed: Address;
    /** How long after a restart prices are still not accepted: feeds and pools have to catch up. */
    readonly graceSeconds: number;
  };
  readonly signer: SignerConfig;
  /** Earlier keys, newest first: one signs for a contract that does not accept a newer one yet. */
  readonly previousSigners?: readonly SignerConfig[];
  /** Blocks after an event before it enters the ledger. */
  readonly confirmations: number;
  readonly pollIntervalMs: number;
  /** By how many seconds our clock and the newest block may differ; 300 when absent. */
  readonly maxClockDifferenceSeconds?: number;
  /** First block that can hold a deposit for one of the paymaster contracts. */
  readonly startBlock: bigint;
  /** Account code known in addition to the published kinds, and gas caps for accounts. */
  readonly accounts?: KnownAccountsConfig;
  /** The defaults of `core/gas/fees/gas-price-bounds.ts` when absent; `none` signs any price below the ceilings. */
  readonly gasPrice?: GasPriceBounds | 'none';
  /** Highest `maxFeePerGas` that is signed, in wei. */
  readonly maxFeePerGasCeiling?: bigint;
  /** Highest worst case of one operation that is signed, in wei. */
  readonly maxCostPerOperation?: bigint;
  /** Used while the gas tank, the signer or the paymaster contract is unavailable; none when absent. */
  readonly vendor?: VendorConfig;
  /** Tops up executors and deposits from a hot wallet; nothing is topped up when absent. */
  readonly hotWallet?: HotWalletConfig;
};

export type WebhookConfig = {
  readonly allowHttp: boolean;
  /** Allowed CIDR ranges of non-public addresses, e.g. `127.0.0.0/8`. */
  readonly allowedRanges: readonly string[];
  /** For the whole callback; 2,000 by default, at most 10,000. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
};

/** Bounds of a signature's or quote's lifetime, in seconds. */
export type ValidityConfig = {
  readonly defaultSeconds: number;
  readonly minSeconds: number;
  readonly maxSeconds: number;
  /**
   * The longest lifetime that a policy may set for sponsored mode signatures (`maxValiditySeconds`); `maxSeconds` when
   * absent.
   */
  readonly maxSecondsByPolicy?: number;
};

/** How long the records of decisions are kept. Their totals in the usage are kept forever. */
type DecisionsConfig = {
  readonly keepDays: number;
  /** For all paymasters together; the oldest are deleted first. */
  readonly keepMost: number;
};

/** How long entries of the audit log are kept; forever when absent. */
type AuditLogConfig = { readonly keepDays?: number };

/** How long the ledger keeps the rows of each operation; forever when absent. Its sums are kept. */
type LedgerConfig = { readonly keepDays?: number };

/** Everything that the core is built from. The composing command reads and validates it; the core reads no files. */
export type CoreConfig = {
  readonly database: DatabaseAddress;
  /** 32 bytes; encrypts apiKeys and webhook secrets at rest and keys their digests. */
  readonly masterKey: Secret<Uint8Array>;
  /** Earlier master keys, under which data may still be sealed or digested. */
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

/** The longest lifetime of any signature, in seconds. */
export function longestValidity({ maxSeconds, maxSecondsByPolicy = maxSeconds }: ValidityConfig): number {
  return maxSecondsByPolicy;
}
