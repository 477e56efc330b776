import { describeFailure, readBoundedText } from './describe-failure.ts';
import type { HttpSend } from './http-send.ts';

/** The part of the platform's `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends with `fetch`. It cannot send a body with GET: such a body is left out. */
export function createFetchSend(options: { fetch?: Fetch | undefined; timeoutMs: number }): HttpSend {
  const { timeoutMs } = options;
  return async ({ url, method, headers, body }) => {
    const fetch = options.fetch ?? globalThis.fetch;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body === undefined || method === 'GET' ? {} : { body }),
      });
      return {
        status: response.status,
        headers: response.headers,
        text: response.body === null ? '' : await readBoundedText(pieces(response.body)),
      };
    } catch (cause) {
      throw describeFailure(cause, timeoutMs, signal);
    }
  };
}

/** Not every browser can iterate over a stream by itself. Leaving the loop early ends the download. */
async function* pieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
