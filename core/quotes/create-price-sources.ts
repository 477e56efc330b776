import type { Clock } from '../base/time/clock.ts';
import type { PlainPriceConfig, PriceSourceConfig } from '../domain/core-config.ts';
import type { ChainClient } from '../node/chain-client.ts';
import { createChainlinkPrice } from './chainlink-price.ts';
import { createHttpPrice } from './http-price.ts';
import { type PriceSource, priceSourceName, type ReadNote, readDecimal } from './price-source.ts';
import { createUniswapPrice, type PricedToken } from './uniswap-price.ts';

/** Creates the source that a configuration describes; `priced` is the asset. */
type PriceSourceFactory = (config: PriceSourceConfig, priced: PricedToken) => PriceSource;

/** Called with the duration of each read of a source; `source` is its {@link priceSourceName}. */
export type PriceTimesNote = (source: string, ...read: Parameters<ReadNote>) => void;

/**
 * Builds the sources of one chain. A feed that is configured several times, such as the dollar price of a quote token,
 * becomes one source and is read once.
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

  /** The dependencies of a source. */
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
 * A price set by the operator. `usd` is decimal text above zero.
 *
 * @throws RangeError when it is not; configuration is checked before this runs.
 */
export function createFixedPrice(usd: string): PriceSource {
  const price = readDecimal(usd);
  if (price === undefined || price.value <= 0n) throw new RangeError('A fixed price is decimal text above zero.');
  return { kind: 'fixed', read: async () => ({ price }) };
}
