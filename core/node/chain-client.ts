import { omitAbsent } from '@tollfree/contract/omit-absent';
import { createPublicClient, createTransport, defineChain, type PublicClient } from 'viem';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import { explainNodeFailure, unexplained } from './node-error.ts';
import { createNodeAsker, type NodeNotes } from './rpc/ask-nodes.ts';
import { type ChainGuard, createChainGuard } from './rpc/chain-guard.ts';
import {
  createEndpoint,
  type Endpoint,
  machineTimes,
  type QuestionOutcome,
  type RpcQuestion,
  type Times,
  timedEndpoint,
  tracedEndpoint,
} from './rpc/create-endpoint.ts';
import { createUnansweredMethods } from './unanswered-methods.ts';

/** Reads a chain. Its answers never come from a cache. */
export type ChainClient = PublicClient;

/** Reports how long the chain's nodes take; `node` is the position in `nodeUrls`, from 1. */
export type NodeTimesNote = (node: number, outcome: QuestionOutcome, seconds: number) => void;

/** The part of a chain's configuration for asking its nodes. */
type NodesConfig = Pick<ChainConfig, 'chainId' | 'name' | 'nodeUrls' | 'callTimeoutMs' | 'pollIntervalMs'>;

/** Callbacks for events of nodes. */
type NodeContext = {
  readonly logger?: Logger;
  readonly noteTimes?: NodeTimesNote | undefined;
  /** One per node. Without them, a node of another chain is asked like any other. */
  readonly guards?: readonly ChainGuard[];
  /** Observes the nodes. */
  readonly states?: NodeStates | undefined;
};

/**
 * A viem client over the chain's nodes: if one fails, is slow or returns an invalid answer, the next one is asked (see
 * `createNodeAsker`). Every question has `callTimeoutMs` per node, and is never sent to the same node twice. Logs when a
 * node is no longer asked first, and when it is again.
 */
export function createChainClient(
  config: NodesConfig,
  times: Times = machineTimes,
  { logger, ...context }: NodeContext = {},
): ChainClient {
  const endpoints = config.nodeUrls.map((_, index) => endpointOf(config, index, times, context));
  return overNodes(config, endpoints, times, allNotes([logger && notesInLog(config, logger), context.states?.notes]));
}

/** A client per node of the chain, for answers that must come from the same node. */
export function createNodeClients(
  config: NodesConfig,
  times: Times = machineTimes,
  context: Omit<NodeContext, 'logger'> = {},
): readonly ChainClient[] {
  return config.nodeUrls.map((_, index) => overNodes(config, [endpointOf(config, index, times, context)], times));
}

function endpointOf(
  config: NodesConfig,
  index: number,
  times: Times,
  { noteTimes, guards, states }: Omit<NodeContext, 'logger'>,
): Endpoint {
  const plain = createEndpoint(config.nodeUrls[index] ?? '', config.callTimeoutMs, times);
  const guarded = guards?.[index]?.guard(plain) ?? plain;
  const watched = states?.watch(index, guarded) ?? guarded;
  const endpoint = tracedEndpoint(watched, 'node', { 'tollfree.chain_id': config.chainId, 'tollfree.node': index + 1 });
  if (noteTimes === undefined) return endpoint;
  return timedEndpoint(endpoint, times.clock, (outcome, seconds) => noteTimes(index + 1, outcome, seconds));
}

/** One per node of the chain. */
export function createChainGuards(
  { chainId, nodeUrls }: Pick<NodesConfig, 'chainId' | 'nodeUrls'>,
  context: { readonly clock: Clock; readonly logger?: Logger },
): readonly ChainGuard[] {
  return nodeUrls.map((_, index) => createChainGuard({ chainId, node: index + 1, ...context }));
}

function allNotes(notes: readonly (NodeNotes | undefined)[]): NodeNotes {
  return {
    rests: (node, cause) => {
      for (const each of notes) each?.rests(node, cause);
    },
    returns: (node) => {
      for (const each of notes) each?.returns(node);
    },
  };
}

function notesInLog({ chainId }: NodesConfig, logger: Logger): NodeNotes {
  return {
    rests: (node, cause) => {
      const failure = explainNodeFailure(cause);
      const why = failure === unexplained ? undefined : failure.text;
      const fields = { err: cause, ...omitAbsent({ why }), chainId, node: node + 1 };
      logger.warn(fields, 'A node is slow or fails; other nodes are asked first');
    },
    returns: (node) => logger.info({ chainId, node: node + 1 }, 'The node responds again'),
  };
}

function overNodes(config: NodesConfig, endpoints: readonly Endpoint[], times: Times, notes?: NodeNotes): ChainClient {
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
        // viem's types know the result of each method; this code does not.
        request: ask as Parameters<typeof createTransport>[0]['request'],
      }),
    pollingInterval: config.pollIntervalMs,
    cacheTime: 0,
  });
}

/** A reported block counts as the node's newest for this long, in milliseconds. */
const headServesMs = 60_000;

/** What is known of a node without an extra question. */
export type NodeState = {
  /** Host of its URL, without possible keys. */
  readonly host: string;
  /** It failed or was slow, so other nodes are asked first. */
  readonly rests: boolean;
  /** The newest block that it has reported in the last minute. */
  readonly head?: bigint;
  /** Needed methods that it does not answer. */
  readonly unanswered: readonly string[];
};

/** Observes the questions to a chain's nodes and their answers. */
export type NodeStates = {
  readonly notes: NodeNotes;
  /** An endpoint that records its newest block and the methods it does not answer. `node` counts from 0. */
  watch(node: number, endpoint: Endpoint): Endpoint;
  /** In the order of `nodeUrls`. */
  read(): readonly NodeState[];
};

export function createNodeStates(nodeUrls: readonly string[], clock: Clock): NodeStates {
  const resting = new Set<number>();
  const heads = new Map<number, { readonly block: bigint; readonly at: number }>();
  const methods = nodeUrls.map(() => createUnansweredMethods(clock));

  return {
    notes: { rests: (node) => void resting.add(node), returns: (node) => void resting.delete(node) },
    watch: (node, endpoint) => ({
      ask: async (question, signal) => {
        try {
          const answer = await endpoint.ask(question, signal);
          methods[node]?.answered(question);
          const block = newestBlockIn(question, answer);
          if (block !== undefined) heads.set(node, { block, at: clock.now() });
          return answer;
        } catch (error) {
          methods[node]?.failed(question, error);
          throw error;
        }
      },
    }),
    read: () =>
      nodeUrls.map((url, node) => {
        const head = heads.get(node);
        const isFresh = head !== undefined && Math.abs(clock.now() - head.at) <= headServesMs;
        return {
          host: maskedHost(url),
          rests: resting.has(node),
          unanswered: methods[node]?.read() ?? [],
          ...(isFresh ? { head: head.block } : {}),
        };
      }),
  };
}

/** Block numbers are below 2^64; other answers are not recorded. */
const blockForm = /^0x[0-9a-f]{1,16}$/i;

function newestBlockIn({ method, params }: RpcQuestion, answer: unknown): bigint | undefined {
  const isLatest = method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest';
  const number = isLatest ? Object(answer).number : method === 'eth_blockNumber' ? answer : undefined;
  return typeof number === 'string' && blockForm.test(number) ? BigInt(number) : undefined;
}

/** A longer label of a host name may be a key. */
const maxPlainLabel = 16;

/** The host of a URL, without credentials, port, path and query; long labels are masked. */
export function maskedHost(url: string): string {
  if (!URL.canParse(url)) return '…';
  const { hostname } = new URL(url);
  if (/^\[|^[\d.]+$/.test(hostname)) return hostname;
  return hostname
    .split('.')
    .map((label) => (label.length >= maxPlainLabel ? '…' : label))
    .join('.');
}
