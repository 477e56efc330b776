import { once } from 'node:events';
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';
import { buildConnector } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainConfig } from '../../core/domain/core-config.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { createTextFetcher } from '../../core/quotes/http-price.ts';
import { watchBundler } from '../../core/runtime/deferred-parts.ts';
import { sendNotification } from '../../core/runtime/senders/delivery-attempts.ts';
import { createWebhookPool } from '../../core/webhooks/webhook-lane.ts';
import { startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { floodOfHints } from '../support/servers/flood-of-hints.ts';
import { listen } from '../support/servers/price-server.ts';
import { startCaller, testSecret, webhookAt } from '../support/servers/webhook-server.ts';

let worker: Worker;
let url: string;

beforeAll(async () => {
  worker = new Worker(floodOfHints, { eval: true });
  const [port]: unknown[] = await once(worker, 'message');
  url = `http://127.0.0.1:${port}/`;
});
afterAll(() => worker.terminate());

const sentence = 'answered more than 8 times with a status below 200';
const callTimeoutMs = 5_000;

function chainAt(nodeUrl: string) {
  return createChainClient({ chainId: 1, name: 'Chain', nodeUrls: [nodeUrl], callTimeoutMs } as unknown as ChainConfig);
}

/** Threat 27: what costs a server nothing to send must not keep us busy until a time-out. */
describe('informational answers without an end', () => {
  test('end the call of a webhook', async () => {
    expect(await startCaller().call(webhookAt(url), '{}')).toMatchObject({
      refusal: { reason: 'WEBHOOK_UNAVAILABLE', message: `Webhook hook-1 ${sentence}.` },
    });
  });

  test('end the reading of a price', async () => {
    expect(await createTextFetcher(new URL(url))()).toEqual({ problem: sentence });
  });

  test('end the attempt of a notification', async () => {
    const pool = createWebhookPool({ origin: url, connect: buildConnector({}), connections: 1 });
    const message = { deliveryId: 'd', url: new URL(url), secret: testSecret, payload: '{}', now: 0 };
    expect(await sendNotification(pool, message, callTimeoutMs)).toMatchObject({ delivered: false, problem: sentence });
    await pool.destroy();
  });

  test('end the call of a node', async () => {
    await expect(chainAt(url).getChainId()).rejects.toMatchObject({
      name: 'HttpRequestError',
      cause: { name: 'InformationalFloodError' },
    });
  });

  test('end the question to a bundler', async () => {
    let tell: (fields: object) => void = () => undefined;
    const reported = new Promise<object>((resolve) => {
      tell = resolve;
    });
    const bundler = watchBundler({
      chainId: 1,
      bundlerUrl: url,
      timeoutMs: callTimeoutMs,
      clock: Date,
      logger: { ...silentLogger, warn: (fields) => tell(fields) },
      timers: { at: () => () => undefined },
    });
    expect(await reported).toMatchObject({ err: { cause: { name: 'InformationalFloodError' } } });
    bundler.close();
  });

  test('do not keep /livez waiting, however many of them there are', async () => {
    const gateway = await startTestGateway({});
    let flooding = true;
    const floods = Array.from({ length: 8 }, async () => {
      const caller = startCaller();
      for (let call = 0; flooding; call += 1) await caller.call(webhookAt(url, { webhookId: `hook-${call}` }), '{}');
    });
    for (let asked = 0; asked < 20; asked += 1) {
      expect((await fetch(`${gateway.adminUrl}/livez`)).status).toBe(200);
    }
    flooding = false;
    await Promise.all(floods);
  });
});

test('a few informational answers are no fault, of a webhook and of a node', async () => {
  const port = await listen(
    createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeProcessing();
        response.writeEarlyHints({ link: '</style.css>; rel=preload' });
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"arePoliciesVerified":true,"jsonrpc":"2.0","id":1,"result":"0x1"}');
      });
    }),
  );
  const honest = `http://127.0.0.1:${port}/`;
  expect((await startCaller().call(webhookAt(honest), '{}')).ok).toBe(true);
  expect(await chainAt(honest).getChainId()).toBe(1);
});
