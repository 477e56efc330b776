import type { Express, Request, Response } from 'express';
import type { Refusal } from '../../core/domain/result/refusal.ts';
import { requestIdOf } from '../http/request-scope.ts';
import { sendJsonText } from '../http/send-json.ts';
import { openToBrowsers, preflight } from './open-to-browsers.ts';
import { refusalResponse } from './rpc-response.ts';

/** What is left of a paymaster's URL if its end is missing. */
const paths = ['/', ...['v1', 'v2'].flatMap((version) => [`/api/${version}`, `/api/${version}/:chainId`])];

const noKey: Refusal = {
  reason: 'UNAUTHORIZED',
  message:
    'This URL has no apiKey. The URL of a paymaster ends with /api/v2/<chainId>/<apiKey>. The dashboard shows it under Connect.',
};

/**
 * Answers clients of JSON-RPC that have only the beginning of a paymaster's URL, such as the service's base URL. They show
 * the message of an error of JSON-RPC (in browsers only with its headers), and of any other answer only the status. The
 * body is not read: callers without a key cause no work.
 */
export function addIncompleteRpcUrls(app: Express): void {
  app.post(paths, (request: Request, response: Response) => {
    const { httpStatus, jsonText } = refusalResponse(null, noKey, requestIdOf(request));
    response.setHeaders(openToBrowsers);
    sendJsonText(response, httpStatus, jsonText);
  });
  app.options(paths, (_request, response: Response) => {
    response.setHeaders(openToBrowsers);
    response.writeHead(204, preflight).end();
  });
}
