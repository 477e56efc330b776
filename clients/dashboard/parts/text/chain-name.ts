type Known = { readonly name: string; readonly coin: string; readonly isTest?: true };

const chains: Readonly<Record<number, Known>> = {
  1: { name: 'Ethereum', coin: 'ETH' },
  10: { name: 'OP Mainnet', coin: 'ETH' },
  56: { name: 'BNB Smart Chain', coin: 'BNB' },
  100: { name: 'Gnosis', coin: 'xDAI' },
  137: { name: 'Polygon', coin: 'POL' },
  324: { name: 'ZKsync Era', coin: 'ETH' },
  8453: { name: 'Base', coin: 'ETH' },
  31337: { name: 'Development chain', coin: 'ETH', isTest: true },
  42161: { name: 'Arbitrum One', coin: 'ETH' },
  42220: { name: 'Celo', coin: 'CELO' },
  43114: { name: 'Avalanche', coin: 'AVAX' },
  59144: { name: 'Linea', coin: 'ETH' },
  80002: { name: 'Polygon Amoy', coin: 'POL', isTest: true },
  84532: { name: 'Base Sepolia', coin: 'ETH', isTest: true },
  421614: { name: 'Arbitrum Sepolia', coin: 'ETH', isTest: true },
  534352: { name: 'Scroll', coin: 'ETH' },
  11155111: { name: 'Sepolia', coin: 'ETH', isTest: true },
  11155420: { name: 'OP Sepolia', coin: 'ETH', isTest: true },
};

/** A chain's name, if it is well known. */
export function chainLabel(chainId: number): string {
  return chains[chainId]?.name ?? `Chain ${chainId}`;
}

/** The same with its id. */
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
