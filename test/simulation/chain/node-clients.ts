import { createPublicClient, createTransport } from 'viem';
import { type Clock, unixSeconds } from '../../../core/base/time/clock.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { createNodeAsker } from '../../../core/node/rpc/ask-nodes.ts';
import type { RpcQuestion } from '../../../core/node/rpc/create-endpoint.ts';
import type { SimulatedNode } from './simulated-node.ts';

/** Nothing in a simulation happens at a time of its own. */
const noTimers = { at: () => () => {} };

/** Times in Unix seconds: of the block, and when the process was told of it by its own clock. */
type ReportedHead = { readonly number: number; readonly timestamp: number; readonly at: number };

type ReportedBlock = { readonly number: string; readonly timestamp: string };

/** What a process asks its chain's nodes with: all of them as if they were one, and each by itself. */
export type NodeClients = {
  readonly client: ChainClient;
  readonly nodes: readonly ChainClient[];
  /** The latest block that the process was last told of, by any of them. */
  reportedHead(): ReportedHead | undefined;
};

export function createNodeClients(nodes: readonly SimulatedNode[], clock: Clock): NodeClients {
  const ask = createNodeAsker(nodes, { clock, timers: noTimers });
  let reported: ReportedHead | undefined;
  const client = overAsker(async (question) => {
    const answer = await ask(question);
    if (isForLatest(question)) reported = noteHead(answer as ReportedBlock, clock);
    return answer;
  });
  return {
    client,
    nodes: nodes.map((node) => overAsker(createNodeAsker([node], { clock, timers: noTimers }))),
    reportedHead: () => reported,
  };
}

function noteHead({ number, timestamp }: ReportedBlock, clock: Clock): ReportedHead {
  return { number: Number(number), timestamp: Number(timestamp), at: unixSeconds(clock) };
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
