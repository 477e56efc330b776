import type { Address } from 'viem';

/** Lists that an address was taken from, each published by someone else. */
type Sources = readonly string[];

/** A price feed of Chainlink in USD. Who publishes its address is in {@link WellKnownChain.feedSources}. */
type WellKnownFeed = {
  readonly aggregator: Address;
  /** How old its answer may be, in seconds: above the feed's heartbeat. */
  readonly maxAgeSeconds: number;
  /** What its `description()` names before `/ USD`. */
  readonly of: string;
};

/** A stablecoin that users can pay with, with the symbol that its contract tells. */
export type WellKnownToken = {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly feed: WellKnownFeed;
  readonly sources: Sources;
};

/** A chain that is known by name: what its section of the configuration needs next to nodes and contracts. */
export type WellKnownChain = {
  /** As in `--chain`. */
  readonly key: string;
  readonly chainId: number;
  readonly name: string;
  /** The explorer that people look at, as viem's list of chains has it. */
  readonly explorerPageUrl: string;
  /** The coin, as Coinbase's pairs name it. */
  readonly coin: string;
  /**
   * Where a configuration names no ceilings: far above what the chain charges on a usual day, and a worst case of an operation
   * of about 150 USD on Ethereum and of a few dollars elsewhere. As amounts with a unit.
   */
  readonly ceilings: { readonly maxFeePerGas: string; readonly maxCostPerOperation: string };
  /** The least stake of a paymaster, in coins, where it is another one than {@link usualStake}. */
  readonly stake?: string;
  /** Of the coin. */
  readonly feed: WellKnownFeed;
  /** Chainlink's uptime feed of the sequencer (https://docs.chain.link/data-feeds/l2-sequencer-feeds). */
  readonly sequencerFeed?: Address;
  /** Where the addresses of all its feeds are published, under the same pair in each. */
  readonly feedSources: Sources;
  readonly tokens: readonly WellKnownToken[];
};
