import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import { servedChain } from '../support/gateway/fake-core.ts';
import { bothHeaders, prefix, startTestGateway } from '../support/gateway/start-test-gateway.ts';

/** The headers and the bytes of an answer, which `fetch` would already have unpacked. */
function read(url: string, accepted: string | undefined) {
  const headers = { ...bothHeaders, ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) };
  return new Promise<{ readonly headers: Record<string, unknown>; readonly bytes: Buffer }>((resolve, reject) => {
    request(url, { headers }, async (response) => {
      resolve({ headers: response.headers, bytes: Buffer.concat(await response.toArray()) });
    })
      .on('error', reject)
      .end();
  });
}

const many = Array.from({ length: 100 }, () => servedChain);

test('a long answer is compressed for who accepts that, and says the same', async () => {
  const { url } = await startTestGateway({ core: { listChains: async () => accept(many) } });
  const plain = await read(`${url}${prefix}/chain`, undefined);
  const packed = await read(`${url}${prefix}/chain`, 'br, gzip');
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(packed.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(packed.bytes.length),
    'cache-control': 'no-store',
    vary: expect.stringMatching(/accept-encoding/i),
  });
  expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
});

test('an answer with a secret is not compressed, so that its length tells nothing about it', async () => {
  const { url } = await startTestGateway();
  const { headers } = await read(`${url}${prefix}/webhook/a/secret`, 'gzip');
  expect(headers).not.toHaveProperty('content-encoding');
});
