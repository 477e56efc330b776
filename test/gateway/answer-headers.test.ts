import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { authToken } from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, rpcPath, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'pm_getFeeQuoteOrData', params: [{}, {}] };

/** What every answer says, and what it says next to that by where it comes from. */
const everywhere = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};
const ofManagement = {
  ...everywhere,
  'content-security-policy': expect.stringMatching(/default-src 'self';.*frame-ancestors 'self';.*object-src 'none'/),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};
const ofRpc = {
  ...everywhere,
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-frame-options': 'DENY',
};

describe('headers that protect', () => {
  test.each<[string, string, number, object]>([
    ['GET', `${prefix}/paymaster`, 200, ofManagement],
    ['POST', `${prefix}/paymaster`, 400, ofManagement],
    ['GET', `${prefix}/webhook/a/secret`, 200, ofManagement],
    ['DELETE', `${prefix}/paymaster`, 405, ofManagement],
    ['GET', '/nowhere', 404, ofManagement],
    ['GET', '/%zz', 404, ofManagement],
    ['GET', `${prefix}/webhook/%zz/secret`, 400, ofManagement],
    ['GET', '/docs/nowhere', 404, ofManagement],
    ['GET', '/openapi.json', 200, { ...ofManagement, 'cache-control': 'no-cache' }],
    ['GET', '/', 200, ofManagement],
    ['GET', '/livez', 200, ofManagement],
    ['POST', rpcPath, 200, ofRpc],
    ['GET', rpcPath, 405, ofRpc],
    ['OPTIONS', rpcPath, 204, ofRpc],
  ])('%s %s (%i)', async (method, path, status, expected) => {
    const { url } = await startTestGateway();
    const json = path === rpcPath ? call : undefined;
    const answer = await send(`${url}${path}`, method, { headers: bothHeaders, json });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(expected);
    expect(answer.headers).not.toHaveProperty('x-powered-by');
  });
});

describe('errors of HTTP itself are in the envelope', () => {
  test.each<[string, string, number, Parameters<typeof send>[2]]>([
    ['GET', '/%zz', 404, {}],
    ['GET', `${prefix}/%zz`, 404, {}],
    ['GET', `${prefix}/webhook/%zz/secret`, 400, {}],
    ['GET', `${prefix}/nowhere`, 404, {}],
    ['PUT', `${prefix}/webhook`, 405, {}],
    ['POST', `${prefix}/paymaster`, 413, { text: 'a'.repeat(65 * 1024) }],
    ['POST', `${prefix}/paymaster`, 415, { text: 'a', headers: { 'content-type': 'text/plain' } }],
    ['GET', `/${'a'.repeat(17 * 1024)}`, 431, {}],
    ['GET', `${prefix}/paymaster`, 431, { headers: { 'x-long': 'a'.repeat(17 * 1024) } }],
  ])('%# %s', async (method, path, status, options) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${path}`, method, {
      ...options,
      headers: { ...bothHeaders, ...options?.headers },
    });
    expect([answer.status, answer.body]).toEqual([status, { statusCode: status, message: expect.any(String) }]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  test('a path that is no path', async () => {
    const { url } = await startTestGateway();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end('GET \u0001 HTTP/1.1\r\nhost: a\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\n\{"statusCode":400,"message":"[^"]+"\}$/);
  });
});

describe('Authorization: Bearer', () => {
  const unauthorized = { statusCode: 401, message: 'Auth token and API key is required in the headers' };
  test.each<[string, Record<string, string>, number]>([
    ['alone', { authorization: `Bearer ${authToken}` }, 200],
    ['in small letters', { authorization: `bearer ${authToken}` }, 200],
    ['next to the same authToken', { authorization: `Bearer ${authToken}`, authToken }, 200],
    ['next to another authToken', { authorization: `Bearer ${authToken}`, authToken: 'tf_other' }, 401],
    ['another next to the authToken', { authorization: 'Bearer tf_other', authToken }, 401],
    ['wrong', { authorization: 'Bearer tf_other' }, 401],
    ['empty', { authorization: 'Bearer ' }, 401],
    ['of another scheme', { authorization: `Basic ${authToken}` }, 401],
    ['of another scheme next to the authToken', { authorization: 'Basic dXNlcjpwdw==', authToken }, 200],
  ])('%s', async (_name, headers, status) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${prefix}/paymaster`, 'GET', { headers });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.body).toEqual(unauthorized);
  });
});

test.each([
  0x202a, 0x202e, 0x2066, 0x2069, 0x200b, 0x200d, 0x200f, 0xfeff, 0x61c, 0x2028, 0x00, 0x1b, 0x7f, 0x85, 0x9f,
])('a name does not hold U+%s', async (code) => {
  const { url } = await startTestGateway();
  const body = { name: `sh${String.fromCodePoint(code)}op`, type: 'HYBRID', chainId: 1, version: '1' };
  const answer = await send(`${url}${prefix}/paymaster`, 'POST', { headers: bothHeaders, json: body });
  expect([answer.status, answer.body]).toEqual([
    400,
    { statusCode: 400, message: 'name must be printable characters' },
  ]);
});
