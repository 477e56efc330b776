import { managementErrors } from '@tollfree/contract/errors';
import type { Express, Request, Response } from 'express';
import { sendError } from './send-json.ts';

/** Answers unsupported methods of a path: 405 with Allow; OPTIONS only gets Allow, without CORS. */
export function answerOtherMethods(app: Express, path: string, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  app.all(path, (request: Request, response: Response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { allow }).end();
      return;
    }
    sendError(response, managementErrors.methodNotAllowed, { allow });
  });
}
