import { omitAbsent } from '@tollfree/contract/omit-absent';
import { TimeoutError } from 'viem';
import type { Logger } from '../base/logger.ts';
import { createChainGuard } from './rpc/chain-guard.ts';
import { createCircuitBreaker } from './rpc/circuit-breaker.ts';
import { createEndpoint, type RpcQuestion, type Times } from './rpc/create-endpoint.ts';
import { type QuestionNote, timedEndpoint, tracedEndpoint } from './rpc/observed-endpoint.ts';
import { isFailure, readRpcAnswer } from './rpc/rpc-answer.ts';

/** How long an answer may take to begin, and as long again to end: together less than a call of the core may take. */
export const maxBundlerWaitMs = 6_000;
/** Most bytes of an answer: a receipt has the events of a whole bundle. */
export const maxBundlerAnswerBytes = 1_024 * 1_024;
/** Characters of a message, and of an error's data as JSON, that are passed on. */
export const maxBundlerMessage = 1_000;
const maxBundlerData = 8_192;
/**
 * A bundler that failed three times in a row is left alone for so long. Much shorter than a node: there is no other one to
 * ask, and callers choose what takes it long.
 */
const restForMs = 5_000;

/** What a bundler came to say. `dataJson` is the data of its error, where it is not too large. */
export type BundlerReply =
  | { readonly kind: 'result'; readonly result: unknown; readonly json: string }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly dataJson?: string }
  /** No answer, or none that can be. `sent` where the bundler may have acted on the question all the same. */
  | { readonly kind: 'away'; readonly problem: string; readonly sent: boolean };

const otherChain = 'is of another chain';

/** Asks a chain's bundler for clients, who learn nothing of its address. Never rejects. */
export type BundlerClient = { ask(question: RpcQuestion): Promise<BundlerReply> };

export function createBundlerClient(options: {
  readonly chainId: number;
  readonly url: string;
  readonly times: Times;
  readonly logger: Logger;
  readonly noteTimes?: QuestionNote | undefined;
}): BundlerClient {
  const { chainId, url, times, logger, noteTimes } = options;
  const { clock } = times;
  const address = hideAddress(url);
  const plain = createEndpoint(url, maxBundlerWaitMs, times, { maxBytes: maxBundlerAnswerBytes, sameId: true });
  const guard = createChainGuard({ chainId, clock, logger });
  const traced = tracedEndpoint(guard.guard(plain), 'bundler', { 'tollfree.chain_id': chainId });
  const endpoint = noteTimes === undefined ? traced : timedEndpoint(traced, clock, noteTimes);
  const breaker = createCircuitBreaker({ clock, restForMs });

  function away(problem: string): BundlerReply {
    // One slow answer is not enough: the client may have chosen an operation that takes long.
    breaker.failed(new Error(problem));
    return { kind: 'away', problem, sent: true };
  }

  function readError(error: unknown): BundlerReply {
    const said = readRpcAnswer(error);
    if (said?.code !== undefined && !isFailure(error)) {
      breaker.succeeded();
      const message = address.hide(String(said.details)).slice(0, maxBundlerMessage);
      const dataJson = dataOf(said.data);
      return { kind: 'error', code: said.code, message, ...omitAbsent({ dataJson }) };
    }
    if (guard.otherChain() !== undefined) {
      breaker.failed(error);
      return { kind: 'away', problem: otherChain, sent: false };
    }
    if (error instanceof TimeoutError) return away('did not answer in time');
    return away(said === undefined ? 'does not respond, or its answer is not valid' : 'does not answer at present');
  }

  function dataOf(data: unknown): string | undefined {
    const json = data === undefined ? undefined : JSON.stringify(data);
    if (json === undefined || json.length > maxBundlerData || address.shows(json)) return undefined;
    return address.hide(json);
  }

  return {
    ask: async (question) => {
      if (breaker.rests() && !breaker.takeTrial()) {
        const problem = guard.otherChain() === undefined ? 'does not respond' : otherChain;
        return { kind: 'away', problem, sent: false };
      }
      try {
        const result = await endpoint.ask(question);
        // Neither a result nor an error: a batch, or no JSON-RPC.
        const json = JSON.stringify(result);
        if (json === undefined || address.shows(json)) return away('gave an answer that is not valid');
        breaker.succeeded();
        return { kind: 'result', result, json };
      } catch (error) {
        return readError(error);
      }
    },
  };
}

/** Any address of a server, up to what cannot be part of it in a text or in JSON. */
const addresses = /\b(?:https?|wss?):\/\/[^\s"'<>\\]+/gi;
/** Shorter parts of an address, and plain words, are no keys. */
const keyLike = (part: string) => part.length >= 8 && !/^[a-z]+$/i.test(part);

type HiddenAddress = {
  /** The text without addresses of servers, and without what may be a key in this one. */
  hide(text: string): string;
  /** Whether the text holds what may be a key in the address. */
  shows(text: string): boolean;
};

/** The text itself where it is not encoded as addresses are. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Keeps a bundler's address, which may hold a key, from those who read what the bundler says. */
function hideAddress(url: string): HiddenAddress {
  const { username, password, pathname, searchParams } = new URL(url);
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()];
  const secrets = [...new Set(parts.flatMap((part) => [part, decoded(part)]))].filter(keyLike);
  return {
    hide: (text) =>
      secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text.replace(addresses, '[hidden]')),
    shows: (text) => secrets.some((secret) => text.includes(secret)),
  };
}
