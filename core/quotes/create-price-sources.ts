import type { PlainPriceConfig, PriceSourceConfig } from '../domain/core-config.ts';
import type { Clock } from '../domain/time/clock.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createChainlinkPrice } from './chainlink-price.ts';
import { createFixedPrice } from './fixed-price.ts';
import { createHttpPrice } from './http-price.ts';
import type { PriceSource } from './price-source.ts';
import { createUniswapPrice, type PricedToken } from './uniswap-price.ts';

/** Gives the source that a configuration names: `priced` is what the price is of. */
export type PriceSourceFactory = (config: PriceSourceConfig, priced: PricedToken) => PriceSource;

/**
 * Builds the sources of one chain. A feed that is named in several places, like the dollar price of a quote token, is one
 * source and read once for all of them.
 */
export function createPriceSources(context: {
  readonly client: ChainClient;
  readonly clock: Clock;
}): PriceSourceFactory {
  const made = new Map<string, PriceSource>();

  function share(key: readonly unknown[], make: () => PriceSource): PriceSource {
    const name = JSON.stringify(key);
    const source = made.get(name) ?? make();
    made.set(name, source);
    return source;
  }

  function plain(config: PlainPriceConfig): PriceSource {
    return share([config], () => {
      switch (config.kind) {
        case 'fixed':
          return createFixedPrice(config.usd);
        case 'chainlink':
          return createChainlinkPrice(config, context);
        case 'http':
          return createHttpPrice(config, context);
      }
    });
  }

  return (config, priced) =>
    config.kind === 'uniswap-v3'
      ? share([config, priced], () =>
          createUniswapPrice(config, { ...context, priced, quote: plain(config.quotePrice) }),
        )
      : plain(config);
}
