import { defineChain } from 'viem';
import { createConfig, injected, unstable_connector } from 'wagmi';

/** A configuration has to have a chain. It is not used: a call names its own. */
const anyChain = defineChain({
  id: 1,
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

/**
 * The wallets of this browser, as they announce themselves (EIP-6963). Nothing is asked of anybody else's server: all that
 * is read of a chain is read through the wallet.
 */
export const wagmiConfig = createConfig({
  chains: [anyChain],
  transports: { [anyChain.id]: unstable_connector(injected) },
  multiInjectedProviderDiscovery: true,
  storage: null,
});
