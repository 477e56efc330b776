import { describeFailure, type HttpSend, readBoundedText } from './http-send.ts';

/** The used part of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends with `fetch`. It cannot send a body with GET: such a body is dropped. */
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

/** Not every browser supports async iteration of streams. Leaving the loop early cancels the download. */
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
