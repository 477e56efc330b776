import { createTestClient, defineChain, http, publicActions, walletActions } from 'viem';

/** A viem client for a development node: reads, writes and the node's test calls. */
export function createDevnetClient(rpcUrl: string, chainId: number) {
  const chain = defineChain({
    id: chainId,
    name: 'Development chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  return createTestClient({ mode: 'anvil', chain, transport: http(rpcUrl), pollingInterval: 20, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
}

export type DevnetClient = ReturnType<typeof createDevnetClient>;
