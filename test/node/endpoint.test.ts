import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { HttpRequestError, RpcRequestError } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { createEndpoint } from '../../core/node/rpc/create-endpoint.ts';
import { maxAnswerBytes } from '../../core/node/rpc/post-json.ts';
import { readRpcAnswer } from '../../core/node/rpc/rpc-answer.ts';

const question = { method: 'eth_getLogs', params: [{ fromBlock: '0x1' }] };
const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: ['0x1'] });

/** A server at `host`, and what it was sent. */
async function serve(listener: RequestListener) {
  const received: { readonly request: IncomingMessage; readonly body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ request, body: JSON.parse(Buffer.concat(chunks).toString()) });
    listener(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, received };
}

const ask = (url: string) => createEndpoint(url, 10_000).ask(question);

test('a question is JSON-RPC, and name and password in the address go where a server looks for them', async () => {
  const { host, received } = await serve((_, response) => response.end(answer));
  expect(await ask(`http://me:p%40ss@${host}/v1/key`)).toStrictEqual(['0x1']);
  const [{ request, body } = { request: undefined, body: undefined }] = received;
  expect(body).toMatchObject({ jsonrpc: '2.0', ...question });
  expect(request?.url).toBe('/v1/key');
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
  });
});

test('a kept connection that the other side ends meanwhile costs no answer', async () => {
  const answered = new WeakSet<Socket>();
  const { host, received } = await serve(({ socket }, response) => {
    if (answered.has(socket)) return void socket.destroy();
    answered.add(socket);
    response.end(answer);
  });
  expect(await ask(`http://${host}`)).toStrictEqual(['0x1']);
  // Only then is the connection free for another question.
  await nextTurn();
  expect(await ask(`http://${host}`)).toStrictEqual(['0x1']);
  const [first, second, third] = received.map(({ request }) => request.socket);
  expect([second === first, third === first]).toStrictEqual([true, false]);
});

test('an answer may begin with a byte order mark', async () => {
  const { host } = await serve((_, response) => response.end(`\ufeff${answer}`));
  expect(await ask(`http://${host}`)).toStrictEqual(['0x1']);
});

test('a compressed answer is read, and one that becomes too large is not', async () => {
  let sent = gzipSync(answer);
  const { host } = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(sent));
  expect(await ask(`http://${host}`)).toStrictEqual(['0x1']);
  sent = gzipSync(`"${'0'.repeat(maxAnswerBytes)}"`);
  await expect(ask(`http://${host}`)).rejects.toBeInstanceOf(HttpRequestError);
});

test('an answer without an end is given up when it is too large', async () => {
  const { host } = await serve((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, '0')));
    };
    response.on('drain', more);
    more();
  });
  await expect(ask(`http://${host}`)).rejects.toMatchObject({ name: 'HttpRequestError' });
});

test('an address that has moved is followed with the question, one that leads in a circle is not', async () => {
  const { host, received } = await serve((request, response) => {
    if (request.url === '/new') response.end(answer);
    else response.writeHead(308, { location: request.url === '/old' ? '/new' : '/circle' }).end();
  });
  expect(await ask(`http://${host}/old`)).toStrictEqual(['0x1']);
  expect(received.map(({ request }) => request.url)).toStrictEqual(['/old', '/new']);
  expect(received[1]?.body).toMatchObject(question);
  await expect(ask(`http://${host}/circle`)).rejects.toBeInstanceOf(HttpRequestError);
});

test('an error of JSON-RPC is one whatever the HTTP status, and a bare HTTP error says what it is', async () => {
  const error = { code: -32_005, message: 'too much', data: '0x12' };
  let [status, body] = [500, JSON.stringify({ jsonrpc: '2.0', id: 1, error })];
  const { host } = await serve((_, response) => response.writeHead(status).end(body));
  const failure = () =>
    ask(`http://${host}`).then(
      () => undefined,
      (cause: unknown) => cause,
    );
  for (status of [200, 500]) {
    const refused = await failure();
    expect(refused).toBeInstanceOf(RpcRequestError);
    expect(readRpcAnswer(refused)).toMatchObject({ code: -32_005, details: 'too much', data: '0x12' });
  }
  [status, body] = [503, '<html>busy</html>'];
  expect(await failure()).toMatchObject({ name: 'HttpRequestError', status: 503, details: 'Service Unavailable' });
  [status, body] = [200, '<html>welcome</html>'];
  expect(await failure()).toMatchObject({ name: 'HttpRequestError', status: undefined });
});
