import { omitAbsent } from '@tollfree/contract/omit-absent';
import { TimeoutError } from 'viem';
import type { Logger } from '../base/logger.ts';
import { createChainGuard } from './rpc/chain-guard.ts';
import { createCircuitBreaker } from './rpc/circuit-breaker.ts';
import {
  createEndpoint,
  type QuestionNote,
  type RpcQuestion,
  type Times,
  timedEndpoint,
  tracedEndpoint,
} from './rpc/create-endpoint.ts';
import { isFailure, readRpcAnswer } from './rpc/rpc-answer.ts';

/** Longest wait until an answer begins, and again until it ends: together less than the time limit of a core call. */
export const maxBundlerWaitMs = 6_000;
/** Most bytes of an answer: a receipt has the events of a whole bundle. */
export const maxBundlerAnswerBytes = 1_024 * 1_024;
/** Most characters of a message, and of an error's data as JSON, that are passed on. */
export const maxBundlerMessage = 1_000;
const maxBundlerData = 8_192;
/**
 * How long a bundler is paused after three failures in a row. Much shorter than for a node: there is no other bundler, and
 * callers can choose operations that take long.
 */
const restForMs = 5_000;

/** The outcome of a question to a bundler. `dataJson` is the data of its error, unless it is too large. */
export type BundlerReply =
  | { readonly kind: 'result'; readonly result: unknown; readonly json: string }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly dataJson?: string }
  /** No valid answer. `sent`: the bundler may still have acted on the question. */
  | { readonly kind: 'away'; readonly problem: string; readonly sent: boolean };

const otherChain = 'is of another chain';

/** Asks a chain's bundler on behalf of clients, without revealing its address. Never rejects. */
export type BundlerClient = { ask(question: RpcQuestion): Promise<BundlerReply> };

export function createBundlerClient(options: {
  readonly chainId: number;
  readonly url: string;
  readonly times: Times;
  readonly logger: Logger;
  readonly noteTimes?: QuestionNote | undefined;
  /** Longest wait in milliseconds; less where several bundlers are asked one after the other. */
  readonly waitMs?: number;
}): BundlerClient {
  const { chainId, url, times, logger, noteTimes, waitMs = maxBundlerWaitMs } = options;
  const { clock } = times;
  const address = hideAddress(url);
  const plain = createEndpoint(url, waitMs, times, { maxBytes: maxBundlerAnswerBytes, sameId: true });
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
        // Neither a result nor an error: a batch, or not JSON-RPC.
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

/** Any server URL, up to a character that cannot be part of one in text or JSON. */
const addresses = /\b(?:https?|wss?):\/\/[^\s"'<>\\]+/gi;
/** Shorter parts of a URL, and plain words, are not keys. */
const keyLike = (part: string) => part.length >= 8 && !/^[a-z]+$/i.test(part);

type HiddenAddress = {
  /** The text without server URLs, and without possible keys from this one. */
  hide(text: string): string;
  /** Whether the text contains a possible key from the URL. */
  shows(text: string): boolean;
};

/** The text unchanged if it is not percent-encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Hides a bundler's URL, which may contain a key, in text that the bundler returns. */
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
