import type { RequestListener, ServerResponse } from 'node:http';
import { managementErrors } from '@tollfree/contract/errors';
import type { OperatorStatus } from '@tollfree/contract/operator';
import type { Health } from './health.ts';
import { sendError, sendJsonText } from './http/send-json.ts';
import type { GatewayMetrics } from './metrics.ts';
import { operatorPage, operatorStyle } from './operator/operator-page.ts';

export function sendLiveness(response: ServerResponse): void {
  sendJsonText(response, 200, '{"live":true}');
}

/** 200 when every required part is ready, else 503; the body says which part is not ready and why. */
export async function sendReadiness(response: ServerResponse, health: Health): Promise<void> {
  const readiness = await health.readiness();
  sendJsonText(response, readiness.ready ? 200 : 503, JSON.stringify(readiness));
}

/** Only own content, and no script at all. */
const guards = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none';style-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

function sendText(response: ServerResponse, contentType: string, text: string): void {
  response.writeHead(200, { ...guards, 'content-type': contentType });
  response.end(text);
}

/** Serves the operator's tools on a separate port, and a page for the operator at `/`. */
export function createAdminListener(parts: {
  readonly health: Health;
  readonly metrics: GatewayMetrics;
  readonly readStatus: () => Promise<OperatorStatus>;
}): RequestListener {
  const { health, metrics, readStatus } = parts;
  const routes: Readonly<Record<string, (response: ServerResponse) => void | Promise<void>>> = {
    '/livez': sendLiveness,
    '/readyz': (response) => sendReadiness(response, health),
    '/metrics': async (response) => {
      const { text, contentType } = await metrics.expose();
      sendText(response, contentType, text);
    },
    '/': async (response) => sendText(response, 'text/html; charset=utf-8', operatorPage(await readStatus())),
    '/operator.css': (response) => sendText(response, 'text/css; charset=utf-8', operatorStyle),
    '/status.json': async (response) => sendJsonText(response, 200, JSON.stringify(await readStatus()), guards),
  };
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) {
      sendError(response, managementErrors.pathNotFound);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendError(response, managementErrors.methodNotAllowed, { allow: 'GET, HEAD' });
    } else {
      Promise.resolve(route(response)).catch(() => response.destroy());
    }
  };
}
