type Known = {
  readonly name: string;
  readonly coin: string;
  /** What `viem/chains` calls it. */
  readonly viem: string;
  readonly isTest?: true;
};

const chains: Readonly<Record<number, Known>> = {
  1: { name: 'Ethereum', coin: 'ETH', viem: 'mainnet' },
  10: { name: 'OP Mainnet', coin: 'ETH', viem: 'optimism' },
  56: { name: 'BNB Smart Chain', coin: 'BNB', viem: 'bsc' },
  100: { name: 'Gnosis', coin: 'xDAI', viem: 'gnosis' },
  137: { name: 'Polygon', coin: 'POL', viem: 'polygon' },
  324: { name: 'ZKsync Era', coin: 'ETH', viem: 'zksync' },
  8453: { name: 'Base', coin: 'ETH', viem: 'base' },
  31337: { name: 'Development chain', coin: 'ETH', viem: 'hardhat', isTest: true },
  42161: { name: 'Arbitrum One', coin: 'ETH', viem: 'arbitrum' },
  42220: { name: 'Celo', coin: 'CELO', viem: 'celo' },
  43114: { name: 'Avalanche', coin: 'AVAX', viem: 'avalanche' },
  59144: { name: 'Linea', coin: 'ETH', viem: 'linea' },
  80002: { name: 'Polygon Amoy', coin: 'POL', viem: 'polygonAmoy', isTest: true },
  84532: { name: 'Base Sepolia', coin: 'ETH', viem: 'baseSepolia', isTest: true },
  421614: { name: 'Arbitrum Sepolia', coin: 'ETH', viem: 'arbitrumSepolia', isTest: true },
  534352: { name: 'Scroll', coin: 'ETH', viem: 'scroll' },
  11155111: { name: 'Sepolia', coin: 'ETH', viem: 'sepolia', isTest: true },
  11155420: { name: 'OP Sepolia', coin: 'ETH', viem: 'optimismSepolia', isTest: true },
};

/** A chain's name, if it is well known. */
export function chainLabel(chainId: number): string {
  return chains[chainId]?.name ?? `Chain ${chainId}`;
}

/** The name of a chain's export in `viem/chains`; undefined for one that viem may not know. */
export function chainExport(chainId: number): string | undefined {
  return chains[chainId]?.viem;
}

/** A chain's name with its id. */
export function chainName(chainId: number): string {
  return chains[chainId] === undefined ? `Chain ${chainId}` : `${chainLabel(chainId)} (${chainId})`;
}

/** The symbol of a chain's coin; undefined for an unknown chain. */
export function coinSymbol(chainId: number): string | undefined {
  return chains[chainId]?.coin;
}

/** What texts about any chain call its coin. */
const anyCoin = 'the chain’s coin';

/** The symbol for a label; an unknown chain has none. */
export function coinName(chainId: number): string {
  return coinSymbol(chainId) ?? anyCoin;
}

/** A text about any chain's coin, with the symbol of this chain's. */
export function withCoinName(text: string, chainId: number): string {
  return text.replaceAll(anyCoin, coinName(chainId));
}

/** An amount of a chain's coin in a sentence: `0.05 ETH`. */
export function amountOfCoin(amount: string, chainId: number): string {
  const symbol = coinSymbol(chainId);
  return symbol === undefined ? `${amount} of ${anyCoin}` : `${amount} ${symbol}`;
}

export type Network = 'main' | 'test';
export const networkTitles = { main: 'Main networks', test: 'Test networks' } as const;

/** Whether a chain is a main or a test network. An unknown chain counts as a main network. */
export function networkOf(chainId: number): Network {
  return chains[chainId]?.isTest === true ? 'test' : 'main';
}

/** A refusal reason in words: `METHOD_NOT_WHITELISTED` is “Method not whitelisted”. */
export function reasonText(reason: string): string {
  const words = reason.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replaceAll(/\b(api|url|usd|erc20)\b/gi, (word) =>
    word.toUpperCase(),
  );
}
