import { type ChainClient, createChainClient } from '../../../core/node/chain-client.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';

function askAt(chainId: number, nodeUrl: string): ChainClient {
  return createChainClient({
    chainId,
    name: 'test',
    nodeUrls: [nodeUrl],
    callTimeoutMs: 10_000,
    pollIntervalMs: 100,
  });
}

/** The core's own client of the chain's node. */
export function clientOf({ chainId, rpcUrl }: Pick<Devnet, 'chainId' | 'rpcUrl'>): ChainClient {
  return askAt(chainId, rpcUrl);
}

/** A client of a node that is away: nothing listens at port 1. */
export function closedNode(chainId: number): ChainClient {
  return askAt(chainId, 'http://127.0.0.1:1');
}
