import { findWellKnownChain } from '../../chains/well-known-chains.ts';

/** Names that feeds have for one coin. */
const sameCoin: readonly (readonly string[])[] = [
  ['POL', 'MATIC'],
  ['DAI', 'XDAI'],
];

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
  if (symbol === undefined) return isCoinOf(base, chainId);
  const name = symbol.toUpperCase().replace(/\.[A-Z]$/, '');
  return name === base || (others[name]?.includes(base) ?? false);
}

function isCoinOf(base: string, chainId: number): boolean {
  const coin = findWellKnownChain(String(chainId))?.feed.of;
  return coin === undefined || coin === base || sameCoin.some((names) => names.includes(coin) && names.includes(base));
}
