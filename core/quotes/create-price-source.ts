import type { ChainClient } from '../chain/chain-client.ts';
import type { PriceSourceConfig } from '../core-config.ts';
import type { Clock } from '../domain/clock.ts';
import { createChainlinkPrice } from './chainlink-price.ts';
import { createFixedPrice } from './fixed-price.ts';
import type { PriceSource } from './price-source.ts';

/** Builds the source that a token's or coin's configuration names. */
export function createPriceSource(
  config: PriceSourceConfig,
  context: { readonly client: ChainClient; readonly clock: Clock },
): PriceSource {
  switch (config.kind) {
    case 'fixed':
      return createFixedPrice(config.usd);
    case 'chainlink':
      return createChainlinkPrice({
        client: context.client,
        aggregator: config.aggregator,
        maxAgeSeconds: config.maxAgeSeconds,
        clock: context.clock,
      });
  }
}
