import { request as httpRequest } from 'node:http';
import { expect, test, vi } from 'vitest';
import { refuse } from '../../core/domain/result/result.ts';
import { apiKey, authToken, chainId } from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'pm_supportedEntryPoints', params: [] };
const deciding = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };

async function start(options: Parameters<typeof startTestGateway>[0] = {}) {
  const { logger, lines } = createRecordingLogger();
  const gateway = await startTestGateway({ ...options, logger });
  const requests = () => lines.filter(({ message }) => message.startsWith('request '));
  /** The lines of so many requests, once they are there. */
  const logged = (count: number) =>
    vi.waitFor(() => {
      expect(requests()).toHaveLength(count);
      return requests();
    });
  return { ...gateway, logged, requests };
}

test('every request is one line, with who asked, what was answered and how long it took', async () => {
  const { url, logged } = await start({ trustedProxies: ['127.0.0.1'] });
  const headers = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'viem/2', 'x-request-id': 'mine' };
  const answer = await send(`${url}${rpcPath}?token=secret-query`, 'POST', { json: call, headers });
  expect(answer.status).toBe(200);
  await send(`${url}${prefix}/paymasters`, 'GET', { headers: { ...bothHeaders, ...headers } });
  const [rpc, management] = await logged(2);
  const common = { requestId: 'mine', client: '203.0.113.7', userAgent: 'viem/2', durationMs: expect.any(Number) };
  expect(rpc).toEqual({
    level: 'info',
    message: 'request served',
    fields: {
      ...common,
      method: 'POST',
      path: `/api/v2/${chainId}/[redacted]`,
      status: 200,
      bytes: expect.any(Number),
    },
  });
  expect(management).toMatchObject({
    level: 'info',
    fields: { ...common, method: 'GET', path: `${prefix}/paymasters` },
  });
  expect(rpc).toHaveProperty(
    'fields.bytes',
    expect.toSatisfy((bytes: number) => bytes > answer.text.length),
  );
});

test('a decision is found by its id, refused or not, and a fault is an error', async () => {
  let outcome: 'refused' | 'broken' = 'refused';
  const { url, logged } = await start({
    core: {
      getFeeQuoteOrData: async () => {
        if (outcome === 'broken') throw new Error('broken');
        return refuse({ reason: 'NO_POLICIES', message: 'none', decisionId: 'the-decision' });
      },
    },
  });
  await send(`${url}${rpcPath}`, 'POST', { json: deciding });
  outcome = 'broken';
  await send(`${url}${rpcPath}`, 'POST', { json: deciding });
  const [refused, broken] = await logged(2);
  expect(refused).toMatchObject({ level: 'info', fields: { status: 422, decisionId: 'the-decision' } });
  expect(broken).toMatchObject({ level: 'error', message: 'request failed', fields: { status: 500 } });
});

test('nothing that a client sends brings a secret or much text into the log', async () => {
  const { url, logged } = await start();
  const headers = { 'user-agent': `${apiKey} ${authToken} ${'a'.repeat(5_000)}`, authorization: `Bearer ${authToken}` };
  await send(`${url}${rpcPath}`, 'POST', { json: call, headers });
  await send(`${url}/anything/${apiKey}/${authToken}?key=${apiKey}`, 'GET', { headers });
  const lines = JSON.stringify(await logged(2));
  expect(lines).not.toContain(apiKey);
  expect(lines).not.toContain(authToken);
  expect(lines.length).toBeLessThan(2_000);
});

test('a client that goes away has a line too', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { url, logged } = await start({
    core: {
      listEntryPoints: () => {
        arrive();
        return new Promise(() => {});
      },
    },
  });
  const request = httpRequest(`${url}${rpcPath}`, { method: 'POST', headers: { 'content-type': 'application/json' } });
  request.on('error', () => undefined);
  request.end(JSON.stringify(call));
  await arrived;
  request.destroy();
  expect(await logged(1)).toMatchObject([{ fields: { status: 499, client: '127.0.0.1' } }]);
});

test('without an access log only faults are told', async () => {
  const { url, logged } = await start({
    accessLog: false,
    core: {
      getFeeQuoteOrData: async () => {
        throw new Error('broken');
      },
    },
  });
  expect((await send(`${url}/nothing`, 'GET')).status).toBe(404);
  expect((await send(`${url}${rpcPath}`, 'POST', { json: { ...call, method: 'unknown' } })).status).toBe(200);
  await send(`${url}${rpcPath}`, 'POST', { json: deciding });
  expect(await logged(1)).toMatchObject([{ level: 'error' }]);
});
