import type { Address } from 'viem';

/** A chain that `tollfree init` knows by name: what its section of the configuration needs beside nodes and contracts. */
export type WellKnownChain = {
  /** As in `--chain`. */
  readonly key: string;
  readonly chainId: number;
  readonly name: string;
  /** The coin, as Coinbase's pairs name it. */
  readonly coin: string;
  /** Chainlink's aggregator of the coin in USD, and how old its answer may be, in seconds. */
  readonly feed: { readonly aggregator: Address; readonly maxAgeSeconds: number };
  readonly dataFee?: 'op-stack' | 'arbitrum';
  /** Chainlink's uptime feed of the sequencer (https://docs.chain.link/data-feeds/l2-sequencer-feeds). */
  readonly sequencerFeed?: Address;
};

export const wellKnownChains: readonly WellKnownChain[] = [
  {
    key: 'ethereum',
    chainId: 1,
    name: 'Ethereum',
    coin: 'ETH',
    feed: { aggregator: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419', maxAgeSeconds: 7_200 },
  },
  {
    key: 'sepolia',
    chainId: 11_155_111,
    name: 'Sepolia',
    coin: 'ETH',
    feed: { aggregator: '0x694AA1769357215DE4FAC081bf1f309aDC325306', maxAgeSeconds: 7_200 },
  },
  {
    key: 'base',
    chainId: 8_453,
    name: 'Base',
    coin: 'ETH',
    feed: { aggregator: '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70', maxAgeSeconds: 3_600 },
    dataFee: 'op-stack',
    sequencerFeed: '0xBCF85224fc0756B9Fa45aA7892530B47e10b6433',
  },
  {
    key: 'base-sepolia',
    chainId: 84_532,
    name: 'Base Sepolia',
    coin: 'ETH',
    feed: { aggregator: '0x4aDC67696bA383F43DD60A9e78F2C97Fbbfc7cb1', maxAgeSeconds: 7_200 },
    dataFee: 'op-stack',
  },
  {
    key: 'optimism',
    chainId: 10,
    name: 'OP Mainnet',
    coin: 'ETH',
    feed: { aggregator: '0x13e3Ee699D1909E989722E753853AE30b17e08c5', maxAgeSeconds: 3_600 },
    dataFee: 'op-stack',
    sequencerFeed: '0x371EAD81c9102C9BF4874A9075FFFf170F2Ee389',
  },
  {
    key: 'arbitrum',
    chainId: 42_161,
    name: 'Arbitrum One',
    coin: 'ETH',
    feed: { aggregator: '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612', maxAgeSeconds: 3_600 },
    dataFee: 'arbitrum',
    sequencerFeed: '0xFdB631F5EE196F0ed6FAa767959853A9F217697D',
  },
  {
    key: 'polygon',
    chainId: 137,
    name: 'Polygon',
    coin: 'POL',
    feed: { aggregator: '0xAB594600376Ec9fD91F8e885dADF0CE036862dE0', maxAgeSeconds: 3_600 },
  },
];

/** The chain with this name or id. */
export function findWellKnownChain(nameOrId: string): WellKnownChain | undefined {
  return wellKnownChains.find(({ key, chainId }) => key === nameOrId.toLowerCase() || String(chainId) === nameOrId);
}
