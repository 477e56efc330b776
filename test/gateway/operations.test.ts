import { describe, expect, test } from 'vitest';
import type { PartStatus } from '../../core/domain/operations/service-operations.ts';
import { accept } from '../../core/domain/result/result.ts';
import { apiKey, authToken, signed } from '../support/gateway/fake-core.ts';
import { prefix, rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };

describe('health, on both ports', () => {
  test('alive and ready answer 200', async () => {
    const { url, adminUrl } = await startTestGateway();
    for (const base of [url, adminUrl]) {
      expect((await send(`${base}/livez`, 'GET')).body).toStrictEqual({ live: true });
      const ready = await send(`${base}/readyz`, 'GET');
      expect([ready.status, ready.body]).toStrictEqual([
        200,
        { ready: true, parts: [{ part: 'store', ready: true, detail: 'open' }] },
      ]);
    }
  });

  test('a part that is down makes it 503 and is named', async () => {
    const parts: PartStatus[] = [
      { part: 'store', ready: true, detail: 'open' },
      { part: 'chain 1', ready: false, detail: 'node does not respond' },
    ];
    const { url, adminUrl } = await startTestGateway({ core: { status: async () => parts } });
    for (const base of [url, adminUrl]) {
      const ready = await send(`${base}/readyz`, 'GET');
      expect([ready.status, ready.body]).toStrictEqual([503, { ready: false, parts }]);
    }
  });

  test('a core that does not respond makes it 503', async () => {
    const { adminUrl } = await startTestGateway({ core: { status: async () => Promise.reject(new Error('gone')) } });
    expect((await send(`${adminUrl}/readyz`, 'GET')).status).toBe(503);
  });

  test('the admin port has nothing else, the public port no metrics', async () => {
    const { url, adminUrl } = await startTestGateway();
    expect((await send(`${adminUrl}${prefix}/paymaster`, 'GET')).status).toBe(404);
    expect((await send(`${adminUrl}/metrics`, 'POST')).status).toBe(405);
    expect((await send(`${url}/metrics`, 'GET')).status).toBe(404);
  });
});

test('metrics count requests by route and status and refusals by reason', async () => {
  const { url, adminUrl } = await startTestGateway();
  await send(`${url}${prefix}/paymaster`, 'GET', { headers: { authToken } });
  await send(`${url}${rpcPath}`, 'POST', { json: call });
  await send(`${url}/api/v2/31337/wrong.key`, 'POST', { json: call });
  await send(`${url}/guess/1`, 'GET');
  const { text } = await send(`${adminUrl}/metrics`, 'GET');
  expect(text).toContain(`tollfree_http_requests_total{route="${prefix}/paymaster",method="GET",status="200"} 1`);
  expect(text).toContain('tollfree_http_requests_total{route="rpc",method="POST",status="200"} 1');
  expect(text).toContain('tollfree_http_requests_total{route="unmatched",method="GET",status="404"} 1');
  expect(text).toContain('tollfree_refusals_total{reason="UNAUTHORIZED"} 1');
  expect(text).not.toContain('guess');
});

describe('the log', () => {
  test('has every request with its id, and no credential', async () => {
    const { logger, lines } = createRecordingLogger();
    const gateway = await startTestGateway({ logger });
    const headers = { authToken, apiKey, 'x-request-id': 'trace-1' };
    await send(`${gateway.url}${prefix}/smart-contract`, 'GET', { headers });
    await send(`${gateway.url}${rpcPath}`, 'POST', { json: call, headers });
    await send(`${gateway.url}/api/v9/1/${apiKey}?authToken=${authToken}`, 'GET', { headers });
    await gateway.close();
    expect(lines.map(({ fields }) => fields)).toMatchObject([
      { requestId: 'trace-1', method: 'GET', path: `${prefix}/smart-contract`, status: 200 },
      { requestId: 'trace-1', method: 'POST', path: '/api/v2/31337/[redacted]', status: 200 },
      { requestId: 'trace-1', method: 'GET', path: '/api/v9/1/[redacted]', status: 404 },
    ]);
    const text = JSON.stringify(lines);
    expect(text).not.toContain(authToken);
    expect(text).not.toContain(apiKey);
  });

  test('takes no request id that could forge a line', async () => {
    const { url } = await startTestGateway();
    const answer = await send(url, 'GET', { headers: { 'x-request-id': 'a"} {"level":60' } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('close', () => {
  test('lets an open request finish and takes no new one', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let started = () => {};
    const arrived = new Promise<void>((resolve) => {
      started = resolve;
    });
    const gateway = await startTestGateway({
      core: {
        async getFeeQuoteOrData() {
          started();
          await finished;
          return accept(signed);
        },
      },
    });
    const open = fetch(`${gateway.url}${rpcPath}`, { method: 'POST', body: JSON.stringify(call) });
    await arrived;
    const closing = gateway.close();
    await expect(send(gateway.url, 'GET')).rejects.toThrow();
    expect((await send(`${gateway.adminUrl}/readyz`, 'GET')).body).toMatchObject({
      ready: false,
      parts: [{ part: 'gateway' }],
    });
    finish();
    expect((await open).status).toBe(200);
    await closing;
    await expect(send(`${gateway.adminUrl}/livez`, 'GET')).rejects.toThrow();
  });

  test('says that it is not ready before it takes no more requests, where there is a delay', async () => {
    const gateway = await startTestGateway({ drainDelayMs: 300 });
    const closing = gateway.close();
    expect((await send(`${gateway.url}/readyz`, 'GET')).status).toBe(503);
    const served = await send(`${gateway.url}${rpcPath}`, 'POST', {
      json: call,
      headers: { connection: 'keep-alive' },
    });
    expect([served.status, served.headers.connection]).toStrictEqual([200, 'close']);
    await closing;
    await expect(send(gateway.url, 'GET')).rejects.toThrow();
  });

  test('cuts off what does not finish in time', async () => {
    let started = () => {};
    const arrived = new Promise<void>((resolve) => {
      started = resolve;
    });
    const gateway = await startTestGateway({
      limits: { drainMs: 20 },
      core: {
        getFeeQuoteOrData() {
          started();
          return new Promise(() => {});
        },
      },
    });
    const open = send(`${gateway.url}${rpcPath}`, 'POST', { json: call });
    const outcome = open.then(
      () => 'answered',
      () => 'cut off',
    );
    await arrived;
    await gateway.close();
    expect(await outcome).toBe('cut off');
  });
});
