import type { ServerResponse } from 'node:http';
import type { ErrorAnswer } from '@tollfree/contract/envelope';
import { managementErrors } from '@tollfree/contract/errors';
import type { Express, Request, Response } from 'express';

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

/** Answers unsupported methods of a path: 405 with Allow; OPTIONS only gets Allow, without CORS. */
export function answerOtherMethods(app: Express, path: string, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  // `app.all` would add a layer, with a pattern of its own, for each of some thirty methods.
  app.route(path).all((request: Request, response: Response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { allow }).end();
      return;
    }
    sendError(response, managementErrors.methodNotAllowed, { allow });
  });
}
