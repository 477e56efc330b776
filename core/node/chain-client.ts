import { createPublicClient, defineChain, fallback, http, type PublicClient, type Transport } from 'viem';
import type { ChainConfig } from '../domain/core-config.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** Reads a chain. None of its answers is from a cache. */
export type ChainClient = PublicClient;

/**
 * A viem client over the chain's nodes. Every call has `callTimeoutMs` with the first node, then with the next one, and
 * fails when the last one has failed. Nothing is retried with the same node.
 */
export function createChainClient(config: ChainConfig): ChainClient {
  return overTransport(config, fallback(config.nodeUrls.map(nodeTransport(config)), { rank: false, retryCount: 0 }));
}

/** A client for each of the chain's nodes, for answers that have to go together. */
export function createNodeClients(config: ChainConfig): readonly ChainClient[] {
  return config.nodeUrls.map(nodeTransport(config)).map((transport) => overTransport(config, transport));
}

function nodeTransport({ callTimeoutMs: timeout }: ChainConfig) {
  return (url: string) => http(url, { fetchFn: boundedFetch, retryCount: 0, timeout });
}

function overTransport(config: ChainConfig, transport: Transport): ChainClient {
  return createPublicClient({
    chain: defineChain({
      id: config.chainId,
      name: config.name,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      // The transport has the real addresses; the chain object ends up in viem's error texts.
      rpcUrls: { default: { http: [] } },
    }),
    transport,
    pollingInterval: config.pollIntervalMs,
    cacheTime: 0,
  });
}
