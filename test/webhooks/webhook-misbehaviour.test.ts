import { once } from 'node:events';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { approve, startCaller, startWebhookServer, webhookAt } from '../support/servers/webhook-server.ts';

const approval = '{"arePoliciesVerified":true}';

async function problemOf(url: string, timeoutMs = 5_000): Promise<string> {
  const result = await startCaller({ config: { timeoutMs } }).call(webhookAt(url), '{}');
  expect(result).toMatchObject({ ok: false, refusal: { reason: 'WEBHOOK_UNAVAILABLE' } });
  return result.ok ? '' : result.refusal.message;
}

/** A server that speaks bytes of its own choice once it has been asked something. */
async function startRawServer(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
}

test('a webhook that never answers is given up, and its connection is closed', async () => {
  let hungUp: Promise<unknown> | undefined;
  const server = await startWebhookServer((response) => {
    hungUp = once(response, 'close');
  });
  expect(await problemOf(server.url, 100)).toBe('Webhook hook-1 did not answer within 100 ms.');
  await hungUp;
});

test('the time limit covers the body: an approval that drips is given up', async () => {
  const server = await startWebhookServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  });
  expect(await problemOf(server.url, 100)).toBe('Webhook hook-1 did not answer within 100 ms.');
});

test('headers that drip are given up', async () => {
  const url = await startRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
    const drip = setInterval(() => socket.write('a'), 10);
    socket.on('close', () => clearInterval(drip));
  });
  expect(await problemOf(url, 100)).toBe('Webhook hook-1 did not answer within 100 ms.');
});

test('a time limit longer than any timer is cut to the cap instead of breaking every call', async () => {
  const server = await startWebhookServer(approve);
  const { call } = startCaller({ config: { timeoutMs: Number.MAX_SAFE_INTEGER } });
  expect((await call(webhookAt(server.url), '{}')).ok).toBe(true);
});

test('an endless body is cut off', async () => {
  let hungUp: Promise<unknown> | undefined;
  const server = await startWebhookServer((response) => {
    hungUp = once(response, 'close');
    const pour = () => {
      while (!response.destroyed && response.write(' '.repeat(4_096)));
    };
    response.on('drain', pour);
    pour();
  });
  expect(await problemOf(server.url)).toBe('Webhook hook-1 answered more than 16384 bytes.');
  await hungUp;
});

test('a compressed answer is refused and never decompressed', async () => {
  const bomb = gzipSync(approval.padEnd(8_000_000, ' '));
  expect(bomb.length).toBeLessThan(16_384);
  const server = await startWebhookServer((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  );
  expect(await problemOf(server.url)).toContain('content-encoding');
});

test.each(['br', 'GZIP', 'identity, gzip', 'zstd'])('content-encoding %s is refused', async (encoding) => {
  const server = await startWebhookServer((response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(approval),
  );
  expect(await problemOf(server.url)).toContain('content-encoding');
});

test('huge headers are refused', async () => {
  const server = await startWebhookServer((response) =>
    response.writeHead(200, { 'x-huge': 'a'.repeat(9_000) }).end(approval),
  );
  expect(await problemOf(server.url)).toContain('more than 8192 bytes of headers');
});

test.each([301, 302, 303, 307, 308])('a %i redirect are not followed', async (status) => {
  const target = await startWebhookServer(approve);
  const server = await startWebhookServer((response) =>
    response.writeHead(status, { location: target.url }).end(approval),
  );
  expect(await problemOf(server.url)).toBe(`Webhook hook-1 answered ${status}, and redirects are not followed.`);
  expect(target.received).toHaveLength(0);
});

test('something that is not HTTP is refused', async () => {
  const url = await startRawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
  expect(await problemOf(url)).toContain('not HTTP');
});

test('a connection closed before the answer is a refusal', async () => {
  const url = await startRawServer((socket) => socket.destroy());
  expect(await problemOf(url)).toContain('closed the connection');
});

test('a server that accepts connections but never ends the TLS handshake is given up', async () => {
  const url = await startRawServer(() => undefined);
  const { call } = startCaller({ config: { connectTimeoutMs: 50 } });
  expect(await call(webhookAt(url.replace('http:', 'https:')), '{}')).toMatchObject({
    refusal: { reason: 'WEBHOOK_UNAVAILABLE', message: 'Webhook hook-1 could not be reached.' },
  });
});

test('an approval that breaks off before its announced end does not count', async () => {
  const url = await startRawServer((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n${approval}`));
  await problemOf(url);
});

test('a refused connection is a refusal', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  const port = typeof address === 'object' ? address?.port : 0;
  expect(await problemOf(`http://127.0.0.1:${port}/`)).toBe('Webhook hook-1 could not be reached.');
});
