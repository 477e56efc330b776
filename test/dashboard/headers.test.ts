import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { DashboardFiles } from '../../gateway/dashboard-routes.ts';
import { type Answer, send, startTestGateway } from '../support/gateway/start-test-gateway.ts';

const index = Buffer.from('<!doctype html><title>the dashboard</title>');
const script = Buffer.from('console.log("a script of the dashboard")');
const compressed = { br: brotliCompressSync(script), gzip: gzipSync(script) };
const files: DashboardFiles = new Map([
  ['index.html', { type: 'text/html; charset=utf-8', bytes: index }],
  ['assets/index-BcJqaTIj.js', { type: 'text/javascript; charset=utf-8', bytes: script, compressed }],
  ['icon.svg', { type: 'image/svg+xml', bytes: Buffer.from('<svg/>') }],
]);

async function ask(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  const gateway = await startTestGateway({ dashboard: files });
  return send(`${gateway.url}${path}`, method, { headers });
}

const guarded = {
  'content-security-policy':
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';connect-src 'self';" +
    "base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

test.each(['/dashboard', '/dashboard/', '/dashboard/account', '/dashboard/paymasters/a/activity?outcome=refused'])(
  '%s is the page, asked for again each time, that no other page shows in a frame',
  async (path) => {
    const { status, headers, text } = await ask(path);
    expect([status, text]).toEqual([200, String(index)]);
    expect(headers).toMatchObject({
      ...guarded,
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
  },
);

test('a file with a hash in its name is kept, and sent compressed to who takes that', async () => {
  const path = '/dashboard/assets/index-BcJqaTIj.js';
  const kept = { ...guarded, 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };
  const plain = await ask(path);
  expect([plain.status, plain.text]).toEqual([200, String(script)]);
  expect(plain.headers).toMatchObject(kept);
  expect(plain.headers).not.toHaveProperty('content-encoding');
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
  ] as const) {
    const { headers } = await ask(path, 'GET', { 'accept-encoding': accepted });
    expect(headers).toMatchObject({ ...kept, 'content-encoding': encoding });
    expect(Number(headers['content-length'])).toBe(compressed[encoding].length);
  }
});

test.each(['/dashboard/assets/index-00000000.js', '/dashboard/assets/../../../package.json', '/dashboard/assets/%00'])(
  '%s is not there',
  async (path) => {
    const { status, body } = await ask(path);
    expect([status, body]).toEqual([404, { statusCode: 404, message: 'Not found' }]);
  },
);

test('/ leads to the dashboard, where there is one', async () => {
  const { status, headers } = await ask('/');
  expect([status, headers.location]).toEqual([302, '/dashboard/']);
});

test('the dashboard is read only', async () => {
  const { status, headers } = await ask('/dashboard/', 'POST');
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});
