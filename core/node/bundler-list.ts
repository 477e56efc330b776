import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { BundlerClient, BundlerReply } from './bundler-client.ts';
import type { RpcQuestion } from './rpc/create-endpoint.ts';

/** How long a bundler is asked last for operations of a paymaster that it refuses, in milliseconds. */
export const refusedForMs = 10 * 60_000;
/** Most paymasters remembered for each bundler. */
const maxPaymasters = 1_000;

/** A paymaster whose operations one of the bundlers does not take. */
export type RefusedPaymaster = {
  /** The bundler's place in the configuration, from 1. */
  readonly bundler: number;
  readonly paymaster: Address;
  /** The JSON-RPC code of its refusal (ERC-7769). */
  readonly code: number;
};

/** All bundlers of a chain, in the order of the configuration. Never rejects. */
export type BundlerList = BundlerClient & {
  /**
   * Asks one after the other until one has found something. Where none has, the answer is the first bundler's that answered.
   */
  find(question: RpcQuestion, isFound: (result: unknown) => boolean): Promise<BundlerReply>;
  /**
   * Sends an operation to one after the other until one takes it or refuses the operation itself. Those that have refused its
   * paymaster come last.
   */
  send(question: RpcQuestion, paymaster: Address | undefined): Promise<BundlerReply>;
  /** Paymasters that bundlers refuse at present. */
  refused(): readonly RefusedPaymaster[];
};

/** A list of at least one bundler. `ask`: the first one that answers. */
export function createBundlerList(
  clients: readonly BundlerClient[],
  options: { readonly chainId: number; readonly clock: Clock; readonly logger: Logger },
): BundlerList {
  const { chainId, clock, logger } = options;
  const bundlers = clients.map((client, index) => ({
    client,
    bundler: index + 1,
    refused: new LRUCache<Address, { readonly code: number; readonly until: number }>({ max: maxPaymasters }),
  }));
  type Bundler = (typeof bundlers)[number];

  function refuses({ refused }: Bundler, paymaster: Address): boolean {
    const noted = refused.get(paymaster);
    return noted !== undefined && clock.now() < noted.until;
  }

  function note(one: Bundler, paymaster: Address, code: number): void {
    const { bundler } = one;
    if (!refuses(one, paymaster)) {
      logger.warn({ chainId, bundler, paymaster, code }, 'A bundler refuses operations of a paymaster');
    }
    one.refused.set(paymaster, { code, until: clock.now() + refusedForMs });
  }

  function inOrder(paymaster: Address | undefined): readonly Bundler[] {
    if (paymaster === undefined) return bundlers;
    const refusing = bundlers.filter((one) => refuses(one, paymaster));
    return [...bundlers.filter((one) => !refusing.includes(one)), ...refusing];
  }

  return {
    ask: (question) => firstOf(bundlers, (one) => one.client.ask(question), isAnswer, firstAnswer),
    find: (question, isFound) =>
      firstOf(
        bundlers,
        (one) => one.client.ask(question),
        (reply) => reply.kind === 'result' && isFound(reply.result),
        firstAnswer,
      ),
    send: (question, paymaster) =>
      firstOf(
        inOrder(paymaster),
        async (one) => {
          const reply = await one.client.ask(question);
          if (paymaster === undefined) return reply;
          if (reply.kind === 'result') one.refused.delete(paymaster);
          if (reply.kind === 'error' && refusesPaymaster(reply.code)) note(one, paymaster, reply.code);
          return reply;
        },
        (reply) => isAnswer(reply) && !(reply.kind === 'error' && isAboutBundler(reply.code)),
        mayHaveActed,
      ),
    refused: () =>
      bundlers.flatMap((one) =>
        [...one.refused.entries()].flatMap(([paymaster, { code }]) =>
          refuses(one, paymaster) ? [{ bundler: one.bundler, paymaster, code }] : [],
        ),
      ),
  };
}

const isAnswer = (reply: BundlerReply): boolean => reply.kind !== 'away';

/** The first reply that decides, or else the best of all. */
async function firstOf<One>(
  bundlers: readonly One[],
  ask: (one: One) => Promise<BundlerReply>,
  decides: (reply: BundlerReply) => boolean,
  bestOf: (replies: readonly BundlerReply[]) => BundlerReply | undefined,
): Promise<BundlerReply> {
  const replies: BundlerReply[] = [];
  for (const one of bundlers) {
    const reply = await ask(one);
    if (decides(reply)) return reply;
    replies.push(reply);
  }
  const best = bestOf(replies) ?? replies[0];
  if (best === undefined) throw new Error('A list of bundlers has at least one.');
  return best;
}

const firstAnswer = (replies: readonly BundlerReply[]) => replies.find(isAnswer);

/** That a bundler may have acted must be told. */
const mayHaveActed = (replies: readonly BundlerReply[]) =>
  replies.find((reply) => reply.kind === 'away' && reply.sent) ?? firstAnswer(replies);

/** ERC-7769: the paymaster is throttled or banned there (-32504), or its stake is too low for that bundler (-32505). */
const refusesPaymaster = (code: number): boolean => code === -32_504 || code === -32_505;

/**
 * Whether another bundler may take the same operation: this one refuses the paymaster, lacks the method, limits its callers or
 * has a fault of its own.
 */
const isAboutBundler = (code: number): boolean =>
  refusesPaymaster(code) || code === -32_601 || code === -32_603 || (code <= -32_000 && code >= -32_099);
