import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { contract } from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

test('what the development service answers next to it, the gateway does not', async () => {
  const { url } = await startTestGateway();
  const answer = await send(`${url}/dev/sign-in?code=any`, 'GET', {});
  expect([answer.status, answer.headers['set-cookie']]).toStrictEqual([404, undefined]);
});

describe('a body that cannot be read is answered in the envelope', () => {
  const notJson = 'Request body is not valid JSON';
  const type = 'Request body must be JSON in UTF-8, sent with Content-Type application/json';
  test.each<[string, string, { text: string | Buffer; headers?: Record<string, string> }, number, string]>([
    ['malformed JSON', '/webhook', { text: '{"webhookUrl":' }, 400, notJson],
    ['blanks', '/webhook', { text: ' ' }, 400, notJson],
    ['bytes that are no UTF-8', '/webhook', { text: Buffer.from([0x22, 0xff, 0x22]) }, 400, notJson],
    ['malformed JSON with GET', '/webhook?webhookId=a', { text: '{' }, 400, notJson],
    [
      'nesting 33 deep',
      '/webhook',
      { text: `${'['.repeat(33)}${']'.repeat(33)}` },
      400,
      'Request body is nested too deeply',
    ],
    ['over 64 KiB', '/webhook', { text: `"${'a'.repeat(65_535)}"` }, 413, 'Request body is too large'],
    ['an ABI over 512 KiB', '/smart-contract', { text: `"${'a'.repeat(524_287)}"` }, 413, 'Request body is too large'],
    [
      'a form',
      '/webhook',
      { text: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      type,
    ],
    [
      'another charset',
      '/webhook',
      { text: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      type,
    ],
    ['gzip', '/webhook', { text: gzipSync('{}'), headers: { 'content-encoding': 'gzip' } }, 415, type],
  ])('%s', async (name, path, options, status, message) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${prefix}${path}`, name.includes('GET') ? 'GET' : 'POST', {
      text: options.text,
      headers: { ...bothHeaders, ...options.headers },
    });
    expect([answer.status, answer.body]).toStrictEqual([status, { statusCode: status, message }]);
  });

  test('a chunked body is answered at the limit, and its connection goes when the client does not stop', async () => {
    const { url } = await startTestGateway();
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const headers = `authToken: ${bothHeaders.authToken}\r\napiKey: ${bothHeaders.apiKey}\r\n`;
    const chunk = `8000\r\n${' '.repeat(0x8000)}\r\n`;
    socket.write(`POST ${prefix}/webhook HTTP/1.1\r\nhost: a\r\n${headers}transfer-encoding: chunked\r\n\r\n`);
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('error', () => {});
    const pump = () => {
      if (!socket.destroyed && socket.write(chunk)) setImmediate(pump);
    };
    socket.on('drain', pump);
    pump();
    await new Promise((resolve) => socket.on('close', resolve));
    expect(text).toContain('HTTP/1.1 413');
    expect(text).toContain('{"statusCode":413,"message":"Request body is too large"}');
  });

  test('the ABI route takes what the others do not', async () => {
    const { url } = await startTestGateway();
    const json = { name: 'big', address: contract.address, abi: JSON.stringify(['a'.repeat(400_000)]) };
    const answer = await send(`${url}${prefix}/smart-contract`, 'POST', { headers: bothHeaders, json });
    expect(answer.status).toBe(200);
  });

  test('JSON in UTF-8 is read under any of its usual types', async () => {
    const { url } = await startTestGateway();
    for (const type of ['application/json; charset=UTF-8', 'application/problem+json', 'Application/JSON']) {
      const answer = await send(`${url}${prefix}/webhook`, 'DELETE', {
        headers: { ...bothHeaders, 'content-type': type },
        json: { webhookId: 'a' },
      });
      expect(answer.status).toBe(200);
    }
  });
});

describe('paths and methods that are not there', () => {
  test.each([
    ['GET', '/nothing', 404, 'Not found', undefined],
    ['GET', `${prefix}/nothing`, 404, 'Not found', undefined],
    ['GET', '/api/v2/public/sdk', 404, 'Not found', undefined],
    ['PUT', `${prefix}/webhook`, 405, 'Method not allowed', ['POST', 'GET', 'PATCH', 'DELETE']],
    ['DELETE', `${prefix}/paymaster`, 405, 'Method not allowed', ['GET', 'POST', 'PATCH']],
    ['POST', `${prefix}/funding-message/a`, 405, 'Method not allowed', ['GET']],
    ['POST', '/openapi.json', 405, 'Method not allowed', ['GET']],
    ['POST', '/schemas/policy.json', 405, 'Method not allowed', ['GET']],
    ['GET', `${prefix}/webhook/%E0%A4%A/secret`, 400, 'Request path is not valid', undefined],
  ])('%s %s', async (method, path, status, message, allowed) => {
    const { url } = await startTestGateway();
    const answer = await send(`${url}${path}`, method, { headers: bothHeaders });
    expect([answer.status, answer.body]).toStrictEqual([status, { statusCode: status, message }]);
    const allow = answer.headers.allow;
    const names = typeof allow === 'string' ? allow.split(', ') : undefined;
    expect(names?.filter((name) => name !== 'HEAD' && name !== 'OPTIONS').sort()).toStrictEqual(allowed?.sort());
  });
});

test('the management side has no CORS, not even for a preflight', async () => {
  const { url } = await startTestGateway();
  const origin = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  for (const method of ['OPTIONS', 'GET']) {
    const answer = await send(`${url}${prefix}/paymaster`, method, { headers: { ...bothHeaders, ...origin } });
    const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
    expect(names).toStrictEqual([]);
  }
});

test('what is no HTTP is answered in the envelope too', async () => {
  const { url } = await startTestGateway();
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end('NONSENSE\r\n\r\n');
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
  }
  expect(text).toContain('HTTP/1.1 400');
  expect(text.endsWith('{"statusCode":400,"message":"Request is not valid HTTP"}')).toBe(true);
});

test('the pointer and the document for programs are there', async () => {
  const { url } = await startTestGateway();
  const index = await send(url, 'GET');
  expect(index.body).toStrictEqual({ name: 'Tollfree', docs: '/docs', openapi: '/openapi.json' });
  expect((await send(`${url}/openapi.json`, 'GET')).body).toMatchObject({ openapi: expect.stringMatching(/^3\./) });
});
