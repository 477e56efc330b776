import type { WellKnownToken } from './well-known-chain.ts';

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
