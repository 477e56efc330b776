import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WebhookCallerContext } from '../../core/webhooks/create-webhook-caller.ts';
import { webhookLimits } from '../../core/webhooks/webhook-caller.ts';
import { isServerFailure } from '../../core/webhooks/webhook-lane.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';
import {
  answerJson,
  approve,
  startCaller,
  startTlsWebhookServer,
  startWebhookServer,
  webhookAt,
} from '../support/servers/webhook-server.ts';

// What a sponsorship may go without: a webhook whose own server is down, and nothing that the caller or this service can bring about.

const idle: Partial<WebhookCallerContext> = { watchLoad: () => () => false };
const busy: Partial<WebhookCallerContext> = { watchLoad: () => () => true };

/** Whether a call fails by its server's doing; anything but unavailable is no failure. */
async function isDown(url: string, context = idle, dataJson = '{}', timeoutMs = 5_000) {
  const result = await startCaller({ context, config: { timeoutMs } }).call(webhookAt(url), dataJson);
  expect(result).toMatchObject({ ok: false, refusal: { reason: 'WEBHOOK_UNAVAILABLE' } });
  return result.isDown === true;
}

/** A server that is no HTTP one. */
async function startTcpServer(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const whenAsked = (answer: (socket: Socket) => void) => (socket: Socket) =>
  void socket.on('error', () => undefined).once('data', () => answer(socket));

describe('its server is down', () => {
  test.each([500, 502, 503, 504, 599])('when it answers %i', async (status) => {
    const server = await startWebhookServer((response) => response.writeHead(status).end('<h1>Sorry</h1>'));
    expect(await isDown(server.url)).toBe(true);
  });

  test('when no one listens', async () => {
    expect(await isDown(`http://127.0.0.1:${await findClosedPort()}/hook`)).toBe(true);
  });

  test.each([
    ['closes the connection', (socket: Socket) => socket.end()],
    ['resets it', (socket: Socket) => socket.resetAndDestroy()],
    ['says what is no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    ['breaks off its answer', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"are')],
  ])('when it %s', async (_what, answer) => {
    expect(await isDown(await startTcpServer(whenAsked(answer)))).toBe(true);
  });

  test('when it does not respond in time', async () => {
    const server = await startWebhookServer(() => undefined);
    expect(await isDown(server.url, idle, '{}', 100)).toBe(true);
  });

  test('when no one can tell the addresses of its name, but not when it has none, as names of private networks', async () => {
    const unreported = () => Promise.reject(new Error('SERVFAIL'));
    for (const [resolve, down] of [[async () => [], false] as const, [unreported, true] as const]) {
      expect(await isDown('http://gone.example/hook', { ...idle, resolve })).toBe(down);
    }
  });

  test('when its certificate is not accepted', async () => {
    const server = await startTlsWebhookServer(approve);
    const context = { ...idle, resolve: async () => ['127.0.0.1'] };
    expect(await isDown(`https://policies.example:${server.port}/hook`, context)).toBe(true);
    expect(server.received).toEqual([]);
  });
});

describe('it is not its server’s doing', () => {
  test.each([400, 401, 403, 404, 413, 414, 429, 431, 301, 307, 600])('when it answers %i', async (status) => {
    const server = await startWebhookServer((response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
    );
    expect(await isDown(server.url)).toBe(false);
  });

  test.each([
    'no',
    'false',
    '',
    '<html>maintenance</html>',
    '{"error":"not allowed"}',
    '{"arePoliciesVerified":"true"}',
  ])('when it says %j, which may be a no', async (body) => {
    const server = await startWebhookServer((response) => response.end(body));
    expect(await isDown(server.url)).toBe(false);
  });

  test('when its answer is too long, as that of one is which sends back what it was sent', async () => {
    const server = await startWebhookServer((response, { body }) => response.end(body));
    expect(await isDown(server.url, idle, JSON.stringify({ text: 'a'.repeat(webhookLimits.answerBytes) }))).toBe(false);
  });

  test('when its address may not be called: a literal one, one of its name, one among others', async () => {
    const server = await startWebhookServer(approve);
    const config = { allowedRanges: ['127.0.0.0/8'] };
    for (const addresses of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['169.254.169.254']]) {
      const caller = startCaller({ config, context: { ...idle, resolve: async () => addresses } });
      const result = await caller.call(webhookAt(`http://inside.example:${server.port}/`), '{}');
      expect(result).toMatchObject({ ok: false });
      expect(result.isDown).toBeUndefined();
    }
    const literal = await startCaller({ config, context: idle }).call(webhookAt('http://10.0.0.1/'), '{}');
    expect(literal.isDown).toBeUndefined();
    expect(server.received).toEqual([]);
  });

  test.each(['http://user:password@127.0.0.1/', 'not a url'])('when its URL may not be called (%s)', async (url) => {
    expect(await isDown(url)).toBe(false);
  });

  test.each(['[]', `{"text":"${'a'.repeat(webhookLimits.dataBytes)}"}`])(
    'when the caller’s data cannot be sent',
    async (dataJson) => {
      expect(await isDown(`http://127.0.0.1:${await findClosedPort()}/`, idle, dataJson)).toBe(false);
    },
  );

  test('when so much is sent that servers fail for that', async () => {
    const server = await startWebhookServer(answerJson({}, 500));
    const of = (bytes: number) => JSON.stringify({ t: 'a'.repeat(bytes - '{"data":{"t":""}}'.length) });
    expect(await isDown(server.url, idle, of(65_536))).toBe(true);
    expect(await isDown(server.url, idle, of(65_537))).toBe(false);
    const cutOff = await startTcpServer(whenAsked((socket) => socket.resetAndDestroy()));
    expect(await isDown(cutOff, idle, of(65_537))).toBe(false);
  });

  test('when the URL of a GET becomes longer than servers read', async () => {
    const server = await startWebhookServer(answerJson({}, 500));
    const caller = startCaller({ context: idle });
    const get = webhookAt(server.url, { requestType: 'GET' });
    const of = (length: number) =>
      `{"t":"${'a'.repeat(length - `/hook?data=${encodeURIComponent('{"t":""}')}`.length)}"}`;
    expect((await caller.call(get, of(4_096))).isDown).toBe(true);
    expect((await caller.call(get, of(4_097))).isDown).toBeUndefined();
  });

  test('when this process was too busy to notice an answer', async () => {
    const server = await startWebhookServer(() => undefined);
    expect(await isDown(server.url, busy, '{}', 100)).toBe(false);
    const resolve = () => new Promise<never>(() => undefined);
    expect(await isDown('http://slow-dns.example/', { ...busy, resolve })).toBe(false);
    // What broke did not break for want of time.
    expect(await isDown(`http://127.0.0.1:${await findClosedPort()}/`, busy)).toBe(true);
  });

  test('when it waited for its turn behind others of the same webhook, or there was none', async () => {
    const server = await startWebhookServer(() => undefined);
    const caller = startCaller({ context: idle, config: { timeoutMs: 300 } });
    const results = await Promise.all(Array.from({ length: 50 }, () => caller.call(webhookAt(server.url), '{}')));
    expect(results.map((result) => result.isDown === true)).toEqual(results.map((_, index) => index < 8));
  });

  test('when the service is stopping', async () => {
    const caller = startCaller({ context: idle });
    await caller.close();
    expect((await caller.call(webhookAt('http://127.0.0.1:1/'), '{}')).isDown).toBeUndefined();
  });
});

describe('a webhook that is left alone', () => {
  async function callOften(statuses: readonly number[]) {
    const left = [...statuses];
    const server = await startWebhookServer((response) => response.writeHead(left.shift() ?? 200).end('{}'));
    const caller = startCaller({ context: { ...idle, clock: { now: () => 0 } } });
    for (const _ of statuses) await caller.call(webhookAt(server.url), '{}');
    return { last: await caller.call(webhookAt(server.url), '{}'), server };
  }

  test('is down where its server was each time', async () => {
    const { last, server } = await callOften([500, 500, 502, 503, 500]);
    expect(last).toMatchObject({ isDown: true, refusal: { message: expect.stringContaining('is skipped') } });
    expect(server.received).toHaveLength(5);
  });

  test.each([[[429, 429, 429, 429, 429]], [[500, 500, 500, 500, 429]]])(
    'is not where it was something else (%j)',
    async (statuses) => {
      const { last } = await callOften(statuses);
      expect(last).toMatchObject({ ok: false, refusal: { message: expect.stringContaining('is skipped') } });
      expect(last.isDown).toBeUndefined();
    },
  );

  test('is not down for what was before its last answer', async () => {
    const { last } = await callOften([500, 500, 500, 500, 200, 429, 429, 429, 429, 500]);
    expect(last).toMatchObject({ ok: false, refusal: { message: expect.stringContaining('is skipped') } });
    expect(last.isDown).toBeUndefined();
  });
});

describe('a failure', () => {
  const failure = (code: string) => Object.assign(new Error('failed'), { code });
  const of = (error: unknown) => isServerFailure(error, { lostTime: vi.fn(() => false) });

  test.each([
    'EMFILE',
    'ENFILE',
    'ENOBUFS',
    'ENOMEM',
    'EADDRNOTAVAIL',
    'EACCES',
    'UND_ERR_DESTROYED',
    'UND_ERR_CLOSED',
    '',
  ])('with %s is none of its server’s', (code) => {
    expect(of(failure(code))).toBe(false);
    expect(of(new AggregateError([failure('ECONNREFUSED'), failure(code)]))).toBe(false);
  });

  test('of every address of a name is its server’s where each of them is', () => {
    expect(of(new AggregateError([failure('ECONNREFUSED'), failure('ETIMEDOUT')]))).toBe(true);
  });

  test.each(['a text', undefined, new AggregateError([])])('that is not understood (%j) is none', (error) => {
    expect(of(error)).toBe(false);
  });
});
