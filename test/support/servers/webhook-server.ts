import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { WebhookConfig } from '../../../core/domain/core-config.ts';
import { createWebhookCaller, type WebhookCallerContext } from '../../../core/webhooks/create-webhook-caller.ts';
import type { CallableWebhook } from '../../../core/webhooks/webhook-caller.ts';
import { createRecordingLogger } from '../logging/recording-logger.ts';
import { testCertificate } from './test-certificate.ts';

export const testSecret = `whsec_${Buffer.from('a key of these tests, 32 bytes!!').toString('base64')}`;

export const loopbackConfig: WebhookConfig = {
  allowHttp: true,
  allowedRanges: ['127.0.0.0/8', '::1/128'],
  timeoutMs: 5_000,
  connectTimeoutMs: 2_000,
};

export type ReceivedRequest = { readonly request: IncomingMessage; readonly body: string };
type Answer = (response: ServerResponse, received: ReceivedRequest) => unknown;

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A webhook receiver on loopback that keeps what it got. Ends with the test. */
export async function startWebhookServer(answer: Answer) {
  const received: ReceivedRequest[] = [];
  const listener: RequestListener = async (request, response) => {
    const item = { request, body: await text(request) };
    received.push(item);
    answer(response, item);
  };
  const server = createServer(listener);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/hook`, port, received, connections: () => connections };
}

/** A webhook over TLS that records each request, for the name `policies.example`. */
export async function startTlsWebhookServer(answer: Answer) {
  const received: ReceivedRequest[] = [];
  const server = createTlsServer(testCertificate, async (request, response) => {
    const item = { request, body: await text(request) };
    received.push(item);
    answer(response, item);
  });
  return { port: await listen(server), received };
}

export function answerJson(value: unknown, status = 200): Answer {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export const approve = answerJson({ arePoliciesVerified: true });

/** A caller that ends with the test, and all it has logged. */
export function startCaller(
  options: { config?: Partial<WebhookConfig>; context?: Partial<WebhookCallerContext> } = {},
) {
  const logged: string[] = [];
  const { logger } = createRecordingLogger(({ fields, message }) => logged.push(JSON.stringify(fields) + message));
  const caller = createWebhookCaller(
    { ...loopbackConfig, ...options.config },
    { clock: Date, logger, ...options.context },
  );
  onTestFinished(() => caller.close());
  return { ...caller, logged };
}

export function webhookAt(webhookUrl: string, fields: Partial<CallableWebhook> = {}): CallableWebhook {
  return { webhookId: 'hook-1', webhookUrl, requestType: 'POST', secret: testSecret, ...fields };
}
