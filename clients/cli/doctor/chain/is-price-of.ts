/** Coins by chain, as feeds name them. */
const coins: Readonly<Record<number, readonly string[]>> = {
  1: ['ETH'],
  10: ['ETH'],
  56: ['BNB'],
  100: ['DAI', 'XDAI'],
  137: ['POL', 'MATIC'],
  8453: ['ETH'],
  42161: ['ETH'],
  43114: ['AVAX'],
  59144: ['ETH'],
  84532: ['ETH'],
  534352: ['ETH'],
  11155111: ['ETH'],
};

/** Tokens that go by the price of another symbol. */
const others: Readonly<Record<string, readonly string[]>> = {
  WETH: ['ETH'],
  WBNB: ['BNB'],
  WAVAX: ['AVAX'],
  WXDAI: ['DAI', 'XDAI'],
  WPOL: ['POL', 'MATIC'],
  WMATIC: ['POL', 'MATIC'],
  USDBC: ['USDC'],
  USDT0: ['USDT'],
  'USD₮0': ['USDT'],
  'USD₮': ['USDT'],
};

/**
 * Whether a feed's `description()`, like `ETH / USD`, is the price in USD of a token, or without a symbol of the chain's coin.
 * Of the coin of a chain that is not known any coin is taken. Bridged tokens (`USDC.e`) go by the price of what is bridged.
 */
export function isPriceOf(
  description: string,
  { chainId, symbol }: { readonly chainId: number; readonly symbol?: string | undefined },
): boolean {
  const [base = '', quote = ''] = description
    .toUpperCase()
    .split('/')
    .map((part) => part.trim());
  if (quote !== 'USD') return false;
  if (symbol === undefined) return coins[chainId]?.includes(base) ?? true;
  const name = symbol.toUpperCase().replace(/\.[A-Z]$/, '');
  return name === base || (others[name]?.includes(base) ?? false);
}
