import { createPublicClient, createTransport, defineChain, type PublicClient } from 'viem';
import type { ChainConfig } from '../domain/core-config.ts';
import type { Logger } from '../domain/logger.ts';
import { createNodeAsker, type NodeNotes } from './rpc/ask-nodes.ts';
import { createEndpoint, machineTimes, type Times } from './rpc/create-endpoint.ts';

/** Reads a chain. None of its answers is from a cache. */
export type ChainClient = PublicClient;

/**
 * A viem client over the chain's nodes: the next one is asked when one fails, is slow or answers nonsense (see
 * `createNodeAsker`). Every question has `callTimeoutMs` with one node, and is never asked of the same one twice. A node that
 * is no longer asked first is logged, and that it is again.
 */
export function createChainClient(config: ChainConfig, times: Times = machineTimes, logger?: Logger): ChainClient {
  return overNodes(config, config.nodeUrls, times, logger && notesInLog(config, logger));
}

/** A client for each of the chain's nodes, for answers that have to go together. */
export function createNodeClients(config: ChainConfig, times: Times = machineTimes): readonly ChainClient[] {
  return config.nodeUrls.map((url) => overNodes(config, [url], times));
}

function notesInLog({ chainId }: ChainConfig, logger: Logger): NodeNotes {
  return {
    rests: (node, cause) =>
      logger.warn({ err: cause, chainId, node: node + 1 }, 'A node is slow or fails; others are asked before it'),
    returns: (node) => logger.info({ chainId, node: node + 1 }, 'The node answers again'),
  };
}

function overNodes(config: ChainConfig, urls: readonly string[], times: Times, notes?: NodeNotes): ChainClient {
  const endpoints = urls.map((url) => createEndpoint(url, config.callTimeoutMs, times));
  const ask = createNodeAsker(endpoints, times, notes);
  return createPublicClient({
    chain: defineChain({
      id: config.chainId,
      name: config.name,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      // The transport has the real addresses; the chain object ends up in viem's error texts.
      rpcUrls: { default: { http: [] } },
    }),
    transport: () =>
      createTransport({
        key: 'nodes',
        name: 'Nodes of the chain',
        type: 'nodes',
        retryCount: 0,
        // What a method answers is known to viem's types, not here.
        request: ask as Parameters<typeof createTransport>[0]['request'],
      }),
    pollingInterval: config.pollIntervalMs,
    cacheTime: 0,
  });
}
