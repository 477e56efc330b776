import type { Address } from 'viem';

/** The lists that an address was taken from, each from a different publisher. */
type Sources = readonly string[];

/** A Chainlink price feed in USD. {@link WellKnownChain.feedSources} says who publishes its address. */
type WellKnownFeed = {
  readonly aggregator: Address;
  /** Maximum age of its answer, in seconds: above the feed's heartbeat. */
  readonly maxAgeSeconds: number;
  /** The name before `/ USD` in its `description()`. */
  readonly of: string;
};

/** A stablecoin that users can pay with, with its contract's symbol. */
export type WellKnownToken = {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly feed: WellKnownFeed;
  readonly sources: Sources;
};

/** A chain known by name: what its section of the configuration needs besides nodes and contracts. */
export type WellKnownChain = {
  /** As in `--chain`. */
  readonly key: string;
  readonly chainId: number;
  readonly name: string;
  /** The block explorer for people, from viem's list of chains. */
  readonly explorerPageUrl: string;
  /** The coin's name in Coinbase's pairs. */
  readonly coin: string;
  /**
   * Default ceilings: far above the usual charges of the chain, with a maximum cost per operation of about 150 USD on
   * Ethereum and a few dollars elsewhere. Amounts with a unit.
   */
  readonly ceilings: { readonly maxFeePerGas: string; readonly maxCostPerOperation: string };
  /** The minimum stake of a paymaster, in coins, if it differs from {@link usualStake}. */
  readonly stake?: string;
  /** The price feed of the coin. */
  readonly feed: WellKnownFeed;
  /** Chainlink's uptime feed of the sequencer (https://docs.chain.link/data-feeds/l2-sequencer-feeds). */
  readonly sequencerFeed?: Address;
  /** Where the addresses of all its feeds are published, under the same pair in each. */
  readonly feedSources: Sources;
  readonly tokens: readonly WellKnownToken[];
};

/** A well-known token as an entry of `tokens` in a configuration: its feed and Coinbase must agree. */
export function tokenEntry({ symbol, address, decimals, feed }: WellKnownToken) {
  const { aggregator, maxAgeSeconds } = feed;
  return {
    symbol,
    address,
    decimals,
    price: { sources: [{ kind: 'chainlink', aggregator, maxAgeSeconds }, coinbasePrice(feed.of)] },
  };
}

/** The USD price of a Coinbase pair. */
export function coinbasePrice(name: string) {
  return { kind: 'http', url: `https://api.coinbase.com/v2/prices/${name}-USD/spot`, path: 'data.amount' };
}
