import { TransportError, unexpectedAnswer } from '../errors/errors.ts';

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

/** Converts a request's rejection to a `TransportError` without any URL. */
export function describeFailure(cause: unknown, timeoutMs: number, signal: AbortSignal): TransportError {
  if (cause instanceof AnswerTooLong) {
    return new TransportError('The answer is too long to be one of the service.', { failure: 'unexpected-answer' });
  }
  if (signal.aborted) {
    return new TransportError(`The service did not answer within ${timeoutMs} ms.`, { failure: 'timeout', cause });
  }
  const code = networkCode(cause);
  return new TransportError(`The service could not be reached${code === undefined ? '' : ` (${code})`}.`, {
    failure: 'unreachable',
    cause,
  });
}

/** Node's code for a network failure, such as `ECONNREFUSED`; on the error or on its cause. */
function networkCode(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null) return undefined;
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'cause' in cause ? networkCode(cause.cause) : undefined;
}

/** An answer is longer than any of the service's. */
class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** Reads UTF-8 text piece by piece, at most {@link maxAnswerBytes}. */
export async function readBoundedText(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > maxAnswerBytes) throw new AnswerTooLong();
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

export type HttpRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An answer as received. Redirects are answers: following one would send credentials to another server. */
export type HttpAnswer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Sends one request and reads its whole answer. Rejects with a `TransportError`. */
export type HttpSend = (request: HttpRequest) => Promise<HttpAnswer>;

/** Longest answer that is read, in bytes. A list of 1,000 contracts with their ABIs may take several megabytes. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Default time limit for a whole answer, in milliseconds. */
export const defaultTimeoutMs = 30_000;

/** Throws a `TypeError` that names `option` unless its value is an http or https URL. Never quotes the value. */
export function checkAddress(option: string, value: string): void {
  const isHttp = /^https?:\/\//i.test(value) && URL.canParse(value);
  if (!isHttp) throw new TypeError(`${option} must be an http or https URL.`);
}

/** The answer's JSON. Throws a `TransportError` when it is not JSON. */
export function parseJson({ status, text }: Pick<HttpAnswer, 'status' | 'text'>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedAnswer(status, 'is not JSON');
  }
}
