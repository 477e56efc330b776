import type { ServerResponse } from 'node:http';
import type { ErrorAnswer } from '@tollfree/contract/envelope';

const contentType = 'application/json; charset=utf-8';

/** Sends prepared JSON text. */
export function sendJsonText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}

/** Sends an error in the envelope. */
export function sendError(
  response: ServerResponse,
  { status, statusCode, message }: ErrorAnswer,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJsonText(response, status, JSON.stringify({ statusCode, message }), headers);
}

/** Retry-After in whole seconds, never 0. */
export function retryAfter(waitMs: number): Readonly<Record<string, string>> {
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}
