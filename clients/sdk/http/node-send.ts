import type { ClientRequest, IncomingMessage } from 'node:http';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { describeFailure, type HttpRequest, type HttpSend, readBoundedText } from './fetch-send.ts';

/**
 * Sends with Node's own HTTP client, which can send a body with GET. Undefined if there is none, as in a browser: the module
 * is loaded at runtime, so a browser bundle does not contain it.
 */
export function createNodeSend(options: { timeoutMs: number }): HttpSend | undefined {
  const { timeoutMs } = options;
  if (typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function') return undefined;
  return async (request) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(request, signal);
      return {
        status: response.statusCode ?? 0,
        headers: toHeaders(response),
        text: await readBoundedText(response),
      };
    } catch (cause) {
      throw describeFailure(cause, timeoutMs, signal);
    }
  };
}

function send({ url, method, headers, body }: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      signal,
      headers: {
        ...headers,
        ...omitAbsent({ 'content-length': body === undefined ? undefined : new Blob([body]).size }),
      },
    };
    const request: ClientRequest = url.startsWith('https:')
      ? process.getBuiltinModule('node:https').request(url, options)
      : process.getBuiltinModule('node:http').request(url, options);
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

function toHeaders({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return new Headers(entries);
}
