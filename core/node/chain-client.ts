import { createPublicClient, defineChain, fallback, http, type PublicClient } from 'viem';
import type { ChainConfig } from '../domain/core-config.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** Reads a chain. Calls are tried on each node in turn; none is answered from a cache. */
export type ChainClient = PublicClient;

/**
 * A viem client over the chain's nodes. Every call has `callTimeoutMs` with the first node, then with the next one, and
 * fails when the last one has failed. Nothing is retried with the same node.
 */
export function createChainClient(config: ChainConfig): ChainClient {
  const nodes = config.nodeUrls.map((url) =>
    http(url, { fetchFn: boundedFetch, retryCount: 0, timeout: config.callTimeoutMs }),
  );
  return createPublicClient({
    chain: defineChain({
      id: config.chainId,
      name: config.name,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      // The transport below has the real addresses; the chain object ends up in viem's error texts.
      rpcUrls: { default: { http: [] } },
    }),
    transport: fallback(nodes, { rank: false, retryCount: 0 }),
    pollingInterval: config.pollIntervalMs,
    cacheTime: 0,
  });
}
