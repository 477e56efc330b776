import { createPublicClient, http, type RpcRequestError } from 'viem';
import { describe, expect, test } from 'vitest';
import { describeError, redactText } from '../../clients/cli/terminal/describe-error.ts';
import { findClosedPort } from '../support/servers/find-closed-port.ts';

const key = 'f'.repeat(64);

describe('an error as it is logged', () => {
  test('has name, code, message, our own frames, and its causes', () => {
    const cause = Object.assign(new RangeError('connect ECONNREFUSED 127.0.0.1:8545'), { code: 'ECONNREFUSED' });
    const described = describeError(new TypeError('no block', { cause }));
    expect(described).toMatchObject({
      name: 'TypeError',
      message: 'no block',
      cause: { name: 'RangeError', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:8545' },
    });
    expect(described.stack).toMatch(/^at .*test\/cli\/describe-error\.test\.ts:\d+:\d+\)?$/);
    expect(described.stack).not.toMatch(/file:|node_modules|node:/);
  });

  test('of a node that does not respond says so without the URL, in which there is a key', async () => {
    const url = `http://127.0.0.1:${await findClosedPort()}/v2/key-of-the-node`;
    const client = createPublicClient({ transport: http(url, { retryCount: 0 }) });
    const error: unknown = await client.getBlockNumber().catch((caught: RpcRequestError) => caught);
    const described = describeError(error);
    expect(described).toMatchObject({ name: 'HttpRequestError', message: 'HTTP request failed.' });
    expect(JSON.stringify(described)).toContain('ECONNREFUSED');
    expect(JSON.stringify(described)).not.toMatch(/key-of-the-node|eth_blockNumber/);
  });

  test('of something else that was thrown is its kind, and a text without secrets', () => {
    expect(describeError(`0x${key}`)).toEqual({ name: 'string', message: '[hex]' });
    expect(describeError({ secret: key })).toEqual({ name: 'object', message: '' });
    expect(describeError(undefined)).toEqual({ name: 'undefined', message: '' });
  });

  test('ends, however long the chain of causes', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).match(/round/g)).toHaveLength(6);
  });

  test('keeps no secret in the stack, even one whose message looks like a frame', () => {
    const error = new Error(`x\n    at ${process.cwd()}/core/${key} https://node.example/key`);
    expect(JSON.stringify(describeError(error))).not.toMatch(/f{41}|node\.example/);
  });
});

test.each([
  ['GET https://user:pass@node.example/v3/abc?key=1 failed', 'GET [url] failed'],
  ['wss://node.example/abc', '[url]'],
  [`key 0x${key}.`, 'key [hex].'],
  [`key ${key}`, 'key [hex]'],
  [`key ${Buffer.alloc(32, 7).toString('base64')}`, 'key [redacted]'],
  [`tf_${'a'.repeat(36)} and whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD`, '[redacted] and [redacted]'],
  ['no paymaster Ab_-12345.8d5f3e0a-0000-4000-8000-000000000001', 'no paymaster [redacted]'],
  ['internal error 8d5f3e0a-0000-4000-8000-000000000001', 'internal error 8d5f3e0a-0000-4000-8000-000000000001'],
  ['Unexpected token \'s\', "s3cret" is not valid JSON', "Unexpected token 's', [text] is not valid JSON"],
  ['-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----\nis bad', '[pem]\nis bad'],
  [
    'EntryPoint 0x0000000071727De22E5E9d8BAf0edAc6f37da032 has no code',
    'EntryPoint 0x0000000071727De22E5E9d8BAf0edAc6f37da032 has no code',
  ],
])('%s is logged as %s', (text, logged) => {
  expect(redactText(text)).toBe(logged);
});

test('a long text is cut, and no secret is left half', () => {
  const text = `${'https://node.example/key '.repeat(79)}${' '.repeat(15)}${key}`;
  expect(text.slice(0, 2_000)).toMatch(/f{9}$/);
  expect(redactText(text)).not.toContain('f');
  expect(redactText('word '.repeat(1_000))).toHaveLength(501);
});
