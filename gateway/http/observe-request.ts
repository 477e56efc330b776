import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../../core/domain/logger.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { redactPath } from './redact-path.ts';

/** What is counted for a request whose client went away before its answer was sent. */
const clientGone = 499;

/** Express leaves the matched route on the request. Any other path would be one label value per guess. */
function routeOf(request: IncomingMessage & { route?: { path?: unknown } }): string {
  return typeof request.route?.path === 'string' ? request.route.path : 'unmatched';
}

/**
 * Counts a request and logs it when its answer is out: id, method, path without credentials, status, duration. Never
 * a header, never a body. RPC successes are logged at debug, faults at error, the rest at info.
 */
export function observeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  parts: { requestId: string; isRpc: boolean; metrics: GatewayMetrics; logger: Logger },
): void {
  const { requestId, isRpc, metrics, logger } = parts;
  const startedAt = performance.now();
  const url = request.url ?? '';
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : clientGone;
    const durationMs = performance.now() - startedAt;
    const method = request.method ?? '';
    metrics.countRequest(isRpc ? 'rpc' : routeOf(request), method, status, durationMs / 1000);
    const fields = { requestId, method, path: redactPath(url), status, durationMs: Math.round(durationMs * 10) / 10 };
    if (status >= 500) {
      logger.error(fields, 'request failed');
    } else if (isRpc && status === 200) {
      logger.debug(fields, 'request served');
    } else {
      logger.info(fields, 'request served');
    }
  });
}
