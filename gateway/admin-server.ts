import type { RequestListener, ServerResponse } from 'node:http';
import { managementErrors } from '@tollfree/contract/errors';
import type { Health } from './health.ts';
import { sendError, sendJsonText } from './http/send-json.ts';
import type { GatewayMetrics } from './metrics.ts';

export function sendLiveness(response: ServerResponse): void {
  sendJsonText(response, 200, '{"live":true}');
}

/** 200 when every part that is not optional is ready, else 503; the body says which is not and why. */
export async function sendReadiness(response: ServerResponse, health: Health): Promise<void> {
  const readiness = await health.readiness();
  sendJsonText(response, readiness.ready ? 200 : 503, JSON.stringify(readiness));
}

async function sendMetrics(response: ServerResponse, metrics: GatewayMetrics): Promise<void> {
  const { text, contentType } = await metrics.expose();
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(text);
}

/** What the operator's own tools call, on a port of its own: `/livez`, `/readyz`, `/metrics`. */
export function createAdminListener(health: Health, metrics: GatewayMetrics): RequestListener {
  return (request, response) => {
    const [path] = (request.url ?? '').split('?', 1);
    if (path !== '/livez' && path !== '/readyz' && path !== '/metrics') {
      sendError(response, managementErrors.pathNotFound);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendError(response, managementErrors.methodNotAllowed, { allow: 'GET, HEAD' });
    } else if (path === '/livez') {
      sendLiveness(response);
    } else {
      const sent = path === '/readyz' ? sendReadiness(response, health) : sendMetrics(response, metrics);
      sent.catch(() => response.destroy());
    }
  };
}
