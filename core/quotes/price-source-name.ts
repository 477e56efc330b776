import type { PriceSourceConfig } from '../domain/core-config.ts';

/** What a source is called before the operator: its kind, and its contract or host. Of a URL nothing else, it may hold a key. */
export function priceSourceName(config: PriceSourceConfig): string {
  switch (config.kind) {
    case 'fixed':
      return config.kind;
    case 'chainlink':
      return `${config.kind} ${config.aggregator}`;
    case 'uniswap-v3':
      return `${config.kind} ${config.pool}`;
    case 'http':
      return `${config.kind} ${new URL(config.url).hostname}`;
  }
}
