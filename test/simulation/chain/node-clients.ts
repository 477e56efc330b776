import { createPublicClient, createTransport } from 'viem';
import type { Clock } from '../../../core/domain/time/clock.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { createNodeAsker } from '../../../core/node/rpc/ask-nodes.ts';
import type { RpcQuestion } from '../../../core/node/rpc/create-endpoint.ts';
import type { SimulatedNode } from './simulated-node.ts';

/** Nothing in a simulation happens at a time of its own. */
const noTimers = { at: () => () => {} };

type ToldBlock = { readonly number: string; readonly timestamp: string };

/** What the service asks its chain's nodes with: all of them as if they were one, and each by itself. */
export type NodeClients = {
  readonly client: ChainClient;
  readonly nodes: readonly ChainClient[];
  /** The latest block that the service was last told of, by any of them. */
  toldHead(): { readonly number: number; readonly timestamp: number } | undefined;
};

export function createNodeClients(nodes: readonly SimulatedNode[], clock: Clock): NodeClients {
  const ask = createNodeAsker(nodes, { clock, timers: noTimers });
  let told: ToldBlock | undefined;
  const client = overAsker(async (question) => {
    const answer = await ask(question);
    if (isForLatest(question)) told = answer as ToldBlock;
    return answer;
  });
  return {
    client,
    nodes: nodes.map((node) => overAsker(createNodeAsker([node], { clock, timers: noTimers }))),
    toldHead: () =>
      told === undefined ? undefined : { number: Number(told.number), timestamp: Number(told.timestamp) },
  };
}

function isForLatest({ method, params }: RpcQuestion): boolean {
  return method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest';
}

function overAsker(ask: (question: RpcQuestion) => Promise<unknown>): ChainClient {
  // What a method answers is known to viem's types, not here.
  const request = ask as Parameters<typeof createTransport>[0]['request'];
  return createPublicClient({
    transport: () => createTransport({ key: 'nodes', name: 'Simulated', type: 'nodes', retryCount: 0, request }),
    cacheTime: 0,
  });
}
