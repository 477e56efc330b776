const names: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  56: 'BNB Smart Chain',
  100: 'Gnosis',
  137: 'Polygon',
  324: 'ZKsync Era',
  8453: 'Base',
  31337: 'Development chain',
  42161: 'Arbitrum One',
  42220: 'Celo',
  43114: 'Avalanche',
  59144: 'Linea',
  80002: 'Polygon Amoy',
  84532: 'Base Sepolia',
  421614: 'Arbitrum Sepolia',
  534352: 'Scroll',
  11155111: 'Sepolia',
  11155420: 'OP Sepolia',
};

/** What people call a chain, where it is well known, with its id. */
export function chainName(chainId: number): string {
  const name = names[chainId];
  return name === undefined ? `Chain ${chainId}` : `${name} (${chainId})`;
}
