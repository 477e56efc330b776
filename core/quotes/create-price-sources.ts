import type { Clock } from '../base/time/clock.ts';
import type { PlainPriceConfig, PriceSourceConfig } from '../domain/core-config.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createChainlinkPrice } from './chainlink-price.ts';
import { createHttpPrice } from './http-price.ts';
import type { ReadNote } from './observed-price.ts';
import { type PriceSource, priceSourceName, readDecimal } from './price-source.ts';
import { createUniswapPrice, type PricedToken } from './uniswap-price.ts';

/** Gives the source that a configuration names: `priced` is what the price is of. */
type PriceSourceFactory = (config: PriceSourceConfig, priced: PricedToken) => PriceSource;

/** Told how long a source took each time it was read; `source` is its {@link priceSourceName}. */
export type PriceTimesNote = (source: string, ...read: Parameters<ReadNote>) => void;

/**
 * Builds the sources of one chain. A feed that is named in several places, like the dollar price of a quote token, is one
 * source and read once for all of them.
 */
export function createPriceSources(context: {
  readonly client: ChainClient;
  readonly clock: Clock;
  readonly noteTimes?: PriceTimesNote | undefined;
}): PriceSourceFactory {
  const { client, clock, noteTimes } = context;
  const made = new Map<string, PriceSource>();

  function share(key: readonly unknown[], make: () => PriceSource): PriceSource {
    const name = JSON.stringify(key);
    const source = made.get(name) ?? make();
    made.set(name, source);
    return source;
  }

  /** What a source works with. */
  function contextOf(config: PriceSourceConfig) {
    const source = priceSourceName(config);
    const noteRead: ReadNote | undefined = noteTimes && ((...read) => noteTimes(source, ...read));
    return { client, clock, noteRead };
  }

  function plain(config: PlainPriceConfig): PriceSource {
    return share([config], () => {
      switch (config.kind) {
        case 'fixed':
          return createFixedPrice(config.usd);
        case 'chainlink':
          return createChainlinkPrice(config, contextOf(config));
        case 'http':
          return createHttpPrice(config, contextOf(config));
      }
    });
  }

  return (config, priced) =>
    config.kind === 'uniswap-v3'
      ? share([config, priced], () =>
          createUniswapPrice(config, { ...contextOf(config), priced, quote: plain(config.quotePrice) }),
        )
      : plain(config);
}

/**
 * A price the operator has set. `usd` is decimal text above zero.
 *
 * @throws RangeError when it is not; configuration is checked before this runs.
 */
export function createFixedPrice(usd: string): PriceSource {
  const price = readDecimal(usd);
  if (price === undefined || price.value <= 0n) throw new RangeError('A fixed price is decimal text above zero.');
  return { kind: 'fixed', read: async () => ({ price }) };
}
