import { type Attributes, SpanKind } from '@opentelemetry/api';
import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { type Clock, createTimers, type Timers } from '../../base/time/clock.ts';
import { traced } from '../../base/traced.ts';
import { type Posted, type PostedAnswer, postJson } from './post-json.ts';
import { isFailure, limitExceededCode, questionBody } from './rpc-answer.ts';

/** The outcome of a question: an answer, including an error about the question; no answer; or no longer awaited. */
export type QuestionOutcome = 'answered' | 'failed' | 'dropped';

/** Called after every question, with its outcome and duration. */
export type QuestionNote = (outcome: QuestionOutcome, seconds: number) => void;

/** An endpoint that reports the duration of its questions. */
export function timedEndpoint(endpoint: Endpoint, clock: Clock, note: QuestionNote): Endpoint {
  return {
    async ask(question, signal) {
      const begunAt = clock.now();
      const done = (outcome: QuestionOutcome) => note(outcome, Math.max(clock.now() - begunAt, 0) / 1_000);
      try {
        const answer = await endpoint.ask(question, signal);
        done('answered');
        return answer;
      } catch (error) {
        done(signal?.aborted ? 'dropped' : isFailure(error) ? 'failed' : 'answered');
        throw error;
      }
    },
  };
}

/** An endpoint with a span per question. The trace context is not sent: the node is a third party. */
export function tracedEndpoint(endpoint: Endpoint, who: 'node' | 'bundler', attributes: Attributes = {}): Endpoint {
  return {
    ask: (question, signal) =>
      traced(
        {
          name: `${who} ${question.method}`,
          kind: SpanKind.CLIENT,
          attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': question.method, ...attributes },
        },
        () => endpoint.ask(question, signal),
      ),
  };
}

/** A JSON-RPC request. */
export type RpcQuestion = { readonly method: string; readonly params?: unknown };

export type Times = { readonly clock: Clock; readonly timers: Timers };

export const machineTimes: Times = { clock: Date, timers: createTimers(Date) };

/** A server that speaks JSON-RPC. */
export type Endpoint = {
  /** The `result`, of any type; undefined for none. Rejects with viem's errors, and when `signal` aborts. */
  ask(question: RpcQuestion, signal?: AbortSignal): Promise<unknown>;
};

let lastId = 0;

/** Requirements for an answer: a maximum size, and with `sameId` the id of its question. */
type AnswerRules = { readonly maxBytes?: number; readonly sameId?: true };

/**
 * No retries, except for a question on a kept connection that the other side has closed. An answer has `timeoutMs` to begin,
 * and the same again to complete.
 */
export function createEndpoint(
  url: string,
  timeoutMs: number,
  { clock, timers }: Times = machineTimes,
  { maxBytes, sameId }: AnswerRules = {},
): Endpoint {
  const address = readAddress(url);
  return {
    async ask(question, signal) {
      if (signal?.aborted) throw signal.reason;
      let stop = () => {};
      let aborted: { readonly reason: unknown } | undefined;
      const abort = (reason: unknown) => {
        stop();
        aborted ??= { reason };
        posted?.abort(reason);
      };
      const wait = () => {
        stop();
        const isLate = () => abort(new TimeoutError({ body: { ...question }, url: address.url }));
        stop = timers.at(clock.now() + timeoutMs, isLate);
      };
      const onAbort = () => abort(signal?.reason);
      let posted: Posted | undefined;
      try {
        wait();
        signal?.addEventListener('abort', onAbort);
        lastId += 1;
        const id = lastId;
        const body = questionBody(question, id);
        posted = postJson(address.url, body, { headers: address.headers, onBegin: wait, maxBytes });
        return readResult(await posted.answer, { question, url: address.url, id: sameId && id });
      } catch (error) {
        if (aborted !== undefined) throw aborted.reason;
        if (error instanceof BaseError) throw error;
        throw new HttpRequestError({ body: { ...question }, cause: error as Error, url: address.url });
      } finally {
        stop();
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** Sends name and password of a URL in the form that servers expect. */
function readAddress(text: string): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.username === '' && url.password === '')) return { url: text, headers: {} };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

/** Reads a server's answer: a JSON-RPC error counts with any HTTP status, a result only with a successful one. */
function readResult(
  { status, statusText, text }: PostedAnswer,
  { question, url, id }: { readonly question: RpcQuestion; readonly url: string; readonly id: number | undefined },
): unknown {
  const body = { ...question };
  const isGood = status >= 200 && status < 300;
  const answer = parse(text);
  if (id !== undefined && isOfAnother(answer, id)) throw new SyntaxError('The answer is to another question');
  const error = fieldOf(answer, 'error');
  if (isRpcError(error) || (isGood && Boolean(error))) {
    const answered = error as { code: number; message: string };
    // Providers give their limits many codes. The status is the same for all.
    const code = status === limitExceededCode ? limitExceededCode : answered.code;
    throw new RpcRequestError({ body, error: { ...answered, code }, url });
  }
  if (!isGood) {
    const details = error === undefined ? statusText : JSON.stringify(error);
    throw new HttpRequestError({ body, details, status, url });
  }
  if (answer === undefined) throw new SyntaxError('The answer is not JSON');
  return fieldOf(answer, 'result');
}

/** A server that could not parse the question returns an error without an id. */
function isOfAnother(answer: unknown, id: number): boolean {
  const found = fieldOf(answer, 'id');
  return found !== id && (found !== null || fieldOf(answer, 'error') === undefined);
}

/** Undefined for invalid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRpcError(error: unknown): boolean {
  return typeof fieldOf(error, 'code') === 'number' && typeof fieldOf(error, 'message') === 'string';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
