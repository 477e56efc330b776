import type { Address } from 'viem';
import type { z } from 'zod';
import { amount, hex, message, text } from '../base/message-schema.ts';
import type { Secret } from '../base/values/secret.ts';
import type { EntryPointVersion } from './entry-point-version.ts';
import type { LocalKeyConfig } from './signer-config.ts';

/** Bundlers that accept operations without fees. */
export const relayKinds = ['ALTO', 'RUNDLER', 'ULTRA_RELAY'] as const;
export type RelayKind = (typeof relayKinds)[number];

/** How a chain's operations are relayed: through this bundler, paid by its wallets. */
export type RelayConfig = {
  readonly kind: RelayKind;
  /** Where the bundler accepts operations without fees. May contain a key: it is never logged or returned. */
  readonly url: string;
  /** The wallets that send its bundles. Their coin is the deposit of the relay. */
  readonly executors: readonly Address[];
  /** Only operations of this version are relayed. */
  readonly entryPoint: EntryPointVersion;
};

/** An operation that was accepted for relaying. */
export const RelayedUserOperationSchema = message('RelayedUserOperation', {
  userOperationHash: hex,
  /** Identifies the decision in the logs of the service. */
  decisionId: text,
});

/** Gas limits with which the operation would be relayed now. Its fees are 0. */
export const RelayTermsSchema = message('RelayTerms', {
  /** Gas. */
  callGasLimit: amount,
  /** Gas. */
  verificationGasLimit: amount,
  /** Gas. */
  preVerificationGas: amount,
  /** Identifies the decision in the logs of the service. */
  decisionId: text,
});
export type RelayTerms = z.output<typeof RelayTermsSchema>;

/** A balance below `below` is topped up to `to`, in wei. */
export type RefillRule = { readonly below: bigint; readonly to: bigint };

/** The operator's hot wallet on a chain, and what it tops up. */
export type HotWalletConfig = {
  readonly wallet: LocalKeyConfig;
  /** The most that may leave it in any 24 hours, in wei, including the maximum gas fee of each transfer. */
  readonly maxPerDay: bigint;
  /** For each executor of the chain's relay; none is topped up when absent. */
  readonly executors?: RefillRule;
  /** For the deposit of each paymaster contract; none is topped up when absent. */
  readonly deposits?: RefillRule;
};

/** Why a due refill is not sent. */
export const refillBlocks = [
  /** Too few nodes report the balances. */
  'nodes',
  /** The wallet has too little coin. */
  'wallet',
  /** `maxPerDay` is used up. */
  'cap',
  /** Gas is above the chain's ceiling, or costs too much for the amount. */
  'fees',
  /** A transfer has not landed for a long time. */
  'stuck',
  /** The wallet has pending transactions that the service did not send. */
  'nonce',
  /** The wallet is the funding wallet of a paymaster. */
  'shared',
  /** The service signs nothing at the moment, or the last run failed. */
  'fault',
] as const;
export type RefillBlock = (typeof refillBlocks)[number];

/** The result of the last run, known to the leading process. */
export type HotWalletStatus = {
  /** Why a due refill is not sent, or a transfer has not landed; absent while nothing is due. */
  readonly block?: RefillBlock;
  /** In wei. */
  readonly walletBalance?: bigint;
};

/** The maximum cost of a second paymaster, in millionths of a USD, by the UTC calendar. */
export type VendorBudget = {
  readonly usdMicrosPerDay: bigint;
  readonly usdMicrosPerMonth: bigint;
  /** The share of the day's budget for requests of one client address: 0.25 is a quarter. */
  readonly maxSharePerClient: number;
};

/** A second paymaster (ERC-7677) that answers while ours cannot. Its vendor bills the operator. */
export type VendorConfig = {
  readonly url: Secret<string>;
  /** Sent as the last parameter of each question. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The accounts whose paymasters may use it. */
  readonly accounts: 'all' | readonly string[];
  /** The only paymaster contracts that an answer may name. */
  readonly paymasters: readonly Address[];
  readonly budget: VendorBudget;
  /** Most gas that the paymaster may use for its validation and `postOp` together; absent: what follows from the chain's prices. */
  readonly maxPaymasterGas?: number | undefined;
  /** For each of at most two questions. */
  readonly timeoutMs: number;
};

/**
 * Which operations the RPC endpoint forwards to a chain's bundler. `NONE`: the endpoint has no bundler methods. `OWN`: those
 * signed by the apiKey's paymaster. `ANY`: also those that pay for themselves or use another paymaster.
 */
export const bundlerExposures = ['NONE', 'OWN', 'ANY'] as const;
export type BundlerExposure = (typeof bundlerExposures)[number];

/** A chain's bundlers (ERC-7769). */
export type BundlerConfig = {
  /** At least one, in the order in which they are asked. They may contain keys and are never returned. */
  readonly urls: readonly string[];
  readonly expose: BundlerExposure;
  /** Whether estimates ask them for gas limits too. */
  readonly asksForLimits: boolean;
};

/** Most gas of one operation in a bundler's transaction, unless the chain's configuration says otherwise: alto's default. */
export const defaultTransactionGasCap = 16_000_000;
/** Most verification gas, including the paymaster's, that bundlers simulate: rundler's default. */
export const maxVerificationGas = 5_000_000n;

/**
 * What may be open on a gas tank at a time, so that no one can lock it with signatures that are never sent. A hold is open
 * until its operation lands or expires. Shares are of what the tank can spend: 0.1 is a tenth.
 */
export type HoldCaps = {
  /** Per sender, counting only requests from the same client address: otherwise others could use up a sender's allowance. */
  readonly maxOpenHoldsPerSender: number;
  /** A sender's only operation may exceed it. */
  readonly maxShareOfTankPerSender: number;
  /** Per client address, as the gateway sees it; requests without one are not counted. */
  readonly maxOpenHoldsPerClient: number;
  /** A client's only operation may exceed it. Also the client's share of what may end unpaid for a paymaster. */
  readonly maxShareOfTankPerClient: number;
  /** For holds whose signature never expires, all senders together; a single one may exceed it. */
  readonly maxShareOfTankWithoutExpiry: number;
  /**
   * For holds whose signature lasts longer than `validity.maxSeconds`, all senders together. Even a single one may not
   * exceed it.
   */
  readonly maxShareOfTankLastingLong: number;
};

/** The default caps. */
export const defaultHoldCaps: HoldCaps = {
  maxOpenHoldsPerSender: 10,
  maxShareOfTankPerSender: 0.1,
  maxOpenHoldsPerClient: 200,
  maxShareOfTankPerClient: 0.5,
  maxShareOfTankWithoutExpiry: 0.5,
  maxShareOfTankLastingLong: 0.2,
};

/** How a chain charges a bundle beyond the gas it uses. `none`: it does not. */
export const feeModelNames = ['none', 'op-stack', 'arbitrum', 'scroll', 'mantle', 'linea', 'monad'] as const;
export type FeeModelName = (typeof feeModelNames)[number];

/** The chains of each model, with ids from viem's list of chains (2.57). Those of the OP stack show by their oracle. */
const chainsOf: Readonly<Record<Exclude<FeeModelName, 'none' | 'op-stack'>, readonly number[]>> = {
  arbitrum: [42_161, 42_170, 421_614],
  scroll: [534_352, 534_351],
  mantle: [5_000, 5_003],
  linea: [59_144, 59_141],
  monad: [143, 10_143],
};

const modelOf = new Map(
  Object.entries(chainsOf).flatMap(([name, ids]) => ids.map((id) => [id, name as FeeModelName] as const)),
);

/**
 * The model in a chain's configuration, or the known one for its id. Undefined for other chains: they have that of the OP
 * stack if its oracle has code there, else none.
 */
export function feeModelOf({
  chainId,
  dataFee,
}: {
  readonly chainId: number;
  readonly dataFee?: FeeModelName | undefined;
}): FeeModelName | undefined {
  return dataFee ?? modelOf.get(chainId);
}

/** Whether a chain with this model publishes its data on another chain. */
export function isLayer2(model: FeeModelName): boolean {
  return model !== 'none' && model !== 'monad';
}

/** Chains whose coin is a dollar: Gnosis and Chiado (xDAI), Arc and its test net (USDC, with 18 decimals as gas coin). */
const dollarChains: ReadonlySet<number> = new Set([100, 10_200, 5_042, 5_042_002]);

export function hasDollarCoin(chainId: number): boolean {
  return dollarChains.has(chainId);
}
