import type { Clock } from '../base/time/clock.ts';
import type { NodeNotes } from './rpc/ask-nodes.ts';
import type { Endpoint, RpcQuestion } from './rpc/create-endpoint.ts';

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
};

/** Observes the questions to a chain's nodes and their answers. */
export type NodeStates = {
  readonly notes: NodeNotes;
  /** The same endpoint, recording its newest block. `node` counts from 0. */
  watch(node: number, endpoint: Endpoint): Endpoint;
  /** In the order of `nodeUrls`. */
  read(): readonly NodeState[];
};

export function createNodeStates(nodeUrls: readonly string[], clock: Clock): NodeStates {
  const resting = new Set<number>();
  const heads = new Map<number, { readonly block: bigint; readonly at: number }>();

  return {
    notes: { rests: (node) => void resting.add(node), returns: (node) => void resting.delete(node) },
    watch: (node, endpoint) => ({
      ask: async (question, signal) => {
        const answer = await endpoint.ask(question, signal);
        const block = newestBlockIn(question, answer);
        if (block !== undefined) heads.set(node, { block, at: clock.now() });
        return answer;
      },
    }),
    read: () =>
      nodeUrls.map((url, node) => {
        const head = heads.get(node);
        const isFresh = head !== undefined && Math.abs(clock.now() - head.at) <= headServesMs;
        return { host: maskedHost(url), rests: resting.has(node), ...(isFresh ? { head: head.block } : {}) };
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
