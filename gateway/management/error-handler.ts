import { managementErrors } from '@tollfree/contract/errors';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../../core/base/logger.ts';
import { isCoreUnavailable, type OutageLog, outageRetryMs } from '../core-unavailable.ts';
import { requestIdOf } from '../http/request-id.ts';
import { retryAfter, sendError } from '../http/send-json.ts';

/** Last handler of the application: an error becomes a line in the log and an opaque 500 that names the request. */
export function createErrorHandler(logger: Logger, outages: OutageLog) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // Express throws this for a path with a broken percent escape.
    if (error instanceof URIError) {
      sendError(response, managementErrors.pathNotValid);
      return;
    }
    const requestId = requestIdOf(request);
    if (isCoreUnavailable(error)) {
      outages.failed(error);
      sendError(response, managementErrors.notReady, retryAfter(outageRetryMs));
      return;
    }
    logger.error({ err: error, requestId }, 'request failed');
    sendError(response, { status: 500, statusCode: 500, message: `Internal error (request ${requestId})` });
  };
}
