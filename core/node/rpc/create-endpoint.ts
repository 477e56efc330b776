import { http, TimeoutError } from 'viem';
import type { Clock } from '../../domain/time/clock.ts';
import { createTimers, type Timers } from '../../domain/time/timers.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** A JSON-RPC request. */
export type RpcQuestion = { readonly method: string; readonly params?: unknown };

/** The time, and how it is waited for. */
export type Times = { readonly clock: Clock; readonly timers: Timers };

export const machineTimes: Times = { clock: Date, timers: createTimers(Date) };

/** A server that speaks JSON-RPC. */
export type Endpoint = {
  /** The `result`, whatever it is; undefined for none. Rejects with viem's errors, and when `signal` aborts. */
  ask(question: RpcQuestion, signal?: AbortSignal): Promise<unknown>;
};

/** Nothing is retried. An answer has `timeoutMs` to begin, and as long again to be there to its last byte. */
export function createEndpoint(url: string, timeoutMs: number, { clock, timers }: Times = machineTimes): Endpoint {
  return {
    async ask(question, signal) {
      const controller = new AbortController();
      const timeOut = () => controller.abort(new TimeoutError({ body: { ...question }, url }));
      let stop = timers.at(clock.now() + timeoutMs, timeOut);
      const abort = () => {
        stop();
        controller.abort(signal?.reason);
      };
      signal?.addEventListener('abort', abort);
      const fetchFn: typeof boundedFetch = async (input, init) => {
        const response = await boundedFetch(input, init);
        stop();
        if (!controller.signal.aborted) stop = timers.at(clock.now() + timeoutMs, timeOut);
        return response;
      };
      try {
        // viem's own time-out ends with the headers of an answer: a body may take forever.
        const { request } = http(url, { fetchFn, retryCount: 0, timeout: 0 })({});
        // The types of viem list the methods they know.
        return await request(question as Parameters<typeof request>[0], { signal: controller.signal });
      } finally {
        stop();
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}
