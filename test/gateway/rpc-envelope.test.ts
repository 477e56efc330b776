import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { apiKey, chainId, createFakeCore, refusal, signed } from '../support/gateway/fake-core.ts';
import { rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const params = [{ sender: '0x00' }, { mode: 'SPONSORED' }];
const call = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params };
type RpcBody = {
  jsonrpc: string;
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
};

async function rpc(
  body: { json?: unknown; text?: string | Buffer },
  options: Parameters<typeof startTestGateway>[0] = {},
) {
  const { url } = await startTestGateway(options);
  const answer = await send(`${url}${rpcPath}`, 'POST', body);
  return { ...answer, body: answer.body as RpcBody & RpcBody[] };
}

describe('a request', () => {
  test.each(['a', '', 1, 0, -1, 1.5, null])('with id %j gets the same id back', async (id) => {
    const { status, body } = await rpc({ json: { ...call, id } });
    expect([status, body.jsonrpc, body.id]).toStrictEqual([200, '2.0', id]);
  });

  test('may say jsonrpc 2.0.0 and is answered with 2.0', async () => {
    const { status, body } = await rpc({ json: { ...call, jsonrpc: '2.0.0' } });
    expect([status, body.jsonrpc]).toStrictEqual([200, '2.0']);
  });

  test('says what an id that a double cannot hold should be', async () => {
    const { body } = await rpc({ json: { ...call, id: 2 ** 60 } });
    expect(body.error?.message).toBe(
      'id is too large for a number, which is exact up to 9007199254740991. Send it as a string',
    );
  });

  test.each([
    ['no id', { jsonrpc: '2.0', method: 'pm_getFeeQuoteOrData', params }, null],
    ['an object as id', { ...call, id: {} }, null],
    ['an id that a double cannot hold', { ...call, id: 2 ** 60 }, null],
    ['an id below those', { ...call, id: -(2 ** 60) }, null],
    ['no jsonrpc', { ...call, jsonrpc: undefined }, 1],
    ['jsonrpc 1.0', { ...call, jsonrpc: '1.0' }, 1],
    ['no method', { ...call, method: undefined }, 1],
    ['a number as method', { ...call, method: 5 }, 1],
    ['null', null, null],
    ['a string', 'pm_getFeeQuoteOrData', null],
    ['an empty batch', [], null],
    ['a batch of 51', Array.from({ length: 51 }, () => call), null],
  ])('that is no request (%s) is -32600', async (_name, json, id) => {
    const { status, body } = await rpc({ json });
    expect([status, body.id, body.error?.code]).toStrictEqual([400, id, -32600]);
  });

  test.each([
    ['malformed', '{"jsonrpc":', 400, -32700],
    ['empty', '', 400, -32700],
    ['no UTF-8', Buffer.from([0x22, 0xc0, 0x22]), 400, -32700],
    ['nested too deeply', `${'['.repeat(60_000)}`, 400, -32600],
    ['too large', ' '.repeat(128 * 1024 + 1), 413, -32600],
  ])('whose body is %s is an error of JSON-RPC', async (_name, text, status, code) => {
    const answer = await rpc({ text });
    expect([answer.status, answer.body.id, answer.body.error?.code]).toStrictEqual([status, null, code]);
  });

  test('that is compressed is not read', async () => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${rpcPath}`, 'POST', {
      text: gzipSync(JSON.stringify(call)),
      headers: { 'content-encoding': 'gzip' },
    });
    expect([answer.status, (answer.body as RpcBody).error?.code]).toStrictEqual([415, -32600]);
  });

  test.each(['pm_unknown', 'constructor', '__proto__'])(
    'for the unknown method %s is -32601 and 200',
    async (method) => {
      const { status, body } = await rpc({ json: { ...call, method } });
      expect([status, body.id, body.error?.code]).toStrictEqual([200, 1, -32601]);
    },
  );

  test('of ERC-7677 gets its error with HTTP 200', async () => {
    const { status, body } = await rpc({ json: { ...call, method: 'pm_getPaymasterData' } });
    expect([status, body.error?.code]).toStrictEqual([200, -32602]);
  });

  test('is served under both versions of the path', async () => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}/api/v1/${chainId}/${apiKey}`, 'POST', { json: call });
    expect(answer.status).toBe(200);
  });
});

describe('a batch', () => {
  test('of one is answered with an array of one', async () => {
    const { status, body } = await rpc({ json: [call] });
    expect([status, body.map(({ id }) => id)]).toStrictEqual([200, [1]]);
  });

  test('is answered in order with 200, each element for itself', async () => {
    const { status, body } = await rpc({
      json: [{ ...call, id: 'a' }, null, { ...call, id: 'b', method: 'pm_unknown' }, { ...call, id: 'c', params: 5 }],
    });
    expect(status).toBe(200);
    expect(body.map(({ id, error }) => [id, error?.code])).toStrictEqual([
      ['a', undefined],
      [null, -32600],
      ['b', -32601],
      ['c', -32602],
    ]);
  });

  test('is worked on eight at a time', async () => {
    let running = 0;
    let max = 0;
    const { getFeeQuoteOrData } = createFakeCore();
    const { body } = await rpc(
      { json: Array.from({ length: 50 }, (_, id) => ({ ...call, id })) },
      {
        core: {
          async getFeeQuoteOrData(request) {
            running += 1;
            max = Math.max(max, running);
            await new Promise(setImmediate);
            running -= 1;
            return getFeeQuoteOrData(request);
          },
        },
      },
    );
    expect(body.map(({ id }) => id)).toStrictEqual(Array.from({ length: 50 }, (_, id) => id));
    expect(max).toBe(8);
  });
});

describe('the address of the endpoint', () => {
  test.each(['abc', '0', '-1', '1.5', '0x1', '99999999999999999999'])('chain id %s is not supported', async (chain) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}/api/v2/${chain}/${apiKey}`, 'POST', { json: call });
    const { error } = answer.body as RpcBody;
    expect([answer.status, error?.code, error?.data]).toStrictEqual([
      422,
      -32012,
      { reason: 'CHAIN_NOT_SUPPORTED', decisionId: answer.headers['x-request-id'] },
    ]);
  });

  test.each([`1/${apiKey}`, `${chainId}/other.key`, `${chainId}/${'a'.repeat(500)}`])(
    '%s is answered as an unknown key',
    async (path) => {
      const { url } = await startTestGateway();
      const answer = await send(`${url}/api/v2/${path}`, 'POST', { json: call });
      const { error } = answer.body as RpcBody;
      expect([answer.status, error?.code, error?.data]).toStrictEqual([
        401,
        -32011,
        { reason: 'UNAUTHORIZED', decisionId: answer.headers['x-request-id'] },
      ]);
    },
  );

  test('answers only POST, and a browser’s preflight', async () => {
    const { url } = await startTestGateway();
    const get = await send(`${url}${rpcPath}`, 'GET');
    expect([get.status, get.headers.allow, get.body]).toStrictEqual([
      405,
      'POST, OPTIONS',
      { statusCode: 405, message: 'Method not allowed' },
    ]);
    const preflight = await send(`${url}${rpcPath}`, 'OPTIONS', { headers: { origin: 'https://app.example' } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringContaining('content-type'),
    });
    const post = await send(`${url}${rpcPath}`, 'POST', { json: call, headers: { origin: 'https://app.example' } });
    expect(post.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('what goes wrong inside', () => {
  test.each([
    ['an exception', async () => Promise.reject(new Error('secret detail'))],
    ['INTERNAL', async () => refusal('INTERNAL', { message: 'secret detail' })],
    ['a refusal of the management', async () => refusal('WEBHOOK_NOT_FOUND', { message: 'secret detail' })],
  ])('%s says nothing but an id', async (_name, getFeeQuoteOrData) => {
    const { url } = await startTestGateway({ core: { getFeeQuoteOrData } });
    const answer = await send(`${url}${rpcPath}`, 'POST', { json: call, headers: { 'x-request-id': 'id-1' } });
    expect([answer.status, answer.body]).toStrictEqual([
      500,
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32603, message: 'Internal error id-1', data: { reason: 'INTERNAL', requestId: 'id-1' } },
      },
    ]);
  });

  test('one exception in a batch leaves the others alone', async () => {
    let calls = 0;
    const { body } = await rpc(
      { json: [call, call] },
      {
        core: {
          async getFeeQuoteOrData() {
            calls += 1;
            if (calls === 1) throw new Error('boom');
            return { ok: true, value: signed };
          },
        },
      },
    );
    expect(body.map(({ error }) => error?.code)).toStrictEqual([-32603, undefined]);
  });
});
