import { describe, expect, test } from 'vitest';
import type { WebhookConfig } from '../../core/domain/core-config.ts';
import { checkWebhookUrl, type ResolveHost } from '../../core/webhooks/resolve-host.ts';

const production: WebhookConfig = { allowHttp: false, allowedRanges: [], timeoutMs: 2_000, connectTimeoutMs: 500 };
const dev: WebhookConfig = { ...production, allowHttp: true, allowedRanges: ['127.0.0.0/8', '::1/128'] };

const names: Record<string, readonly string[]> = {
  'policies.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'inside.example': ['10.0.0.7'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
};
const resolve: ResolveHost = async (host) => names[host] ?? [];

describe('a URL is accepted', () => {
  test.each([
    'https://policies.example',
    'https://policies.example:8443/hooks/1?tenant=a%20b&x=',
    'https://policies.example/#fragment',
    'HTTPS://Policies.Example/',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://[::ffff:8.8.8.8]/',
  ])('%s', async (url) => {
    expect(await checkWebhookUrl(url, production, resolve)).toBe('accepted');
  });

  test('with 2,048 characters', async () => {
    const url = 'https://policies.example/'.padEnd(2_048, 'a');
    expect(await checkWebhookUrl(url, production, resolve)).toBe('accepted');
  });
});

describe('a URL is not a webhook URL', () => {
  test.each([
    '',
    'policies.example',
    '/hook',
    '//policies.example/hook',
    'ftp://policies.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'gopher://policies.example:70/',
    'https://',
    'https:policies.example',
    'https:/policies.example',
    'https:\\\\policies.example',
    'https://policies.example\\@127.0.0.1/',
    'https://user@policies.example/',
    'https://user:password@policies.example/',
    'https://:password@policies.example/',
    ' https://policies.example/',
    'https://policies.example/\n',
    'ht\ttps://policies.example/',
    'https://policies.example/a b',
    'https://policies.example:99999/',
    'https://exa<mple/',
    'https://[::1/',
    'https://256.256.256.256/',
  ])('%j', async (url) => {
    expect(await checkWebhookUrl(url, dev, resolve)).toBe('not-a-url');
  });

  test('with more than 2,048 characters, as given or once encoded', async () => {
    expect(await checkWebhookUrl('https://policies.example/'.padEnd(2_049, 'a'), dev, resolve)).toBe('not-a-url');
    expect(await checkWebhookUrl('https://policies.example/'.padEnd(1_000, 'ä'), dev, resolve)).toBe('not-a-url');
    // What is sent is far shorter.
    const dots = `https://policies.example/${'./'.repeat(1_024)}`;
    expect(await checkWebhookUrl(dots, dev, resolve)).toBe('not-a-url');
  });
});

describe('a host that is not public is not reachable, however it is written', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://①②⑦.0.0.1/',
    'http://0/',
    'http://0.0.0.0:8080/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.100.100.200/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://192.0.0.192/',
    'http://198.18.0.1/',
    'http://203.0.113.9/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://inside.example/',
    'http://mixed.example/',
    'http://mapped.example/',
    'http://metadata.google.internal/',
  ])('%s', async (url) => {
    expect(await checkWebhookUrl(url, { ...dev, allowedRanges: [] }, resolve)).toBe('not-reachable');
  });

  test.each(['https://localhost/', 'https://localhost./', 'https://LOCALHOST:3000/', 'https://hooks.localhost/'])(
    '%s with the real resolver',
    async (url) => {
      expect(await checkWebhookUrl(url, production)).toBe('not-reachable');
    },
  );
});

test('plain http is not reachable where only https is allowed', async () => {
  expect(await checkWebhookUrl('http://policies.example/', production, resolve)).toBe('not-reachable');
  expect(await checkWebhookUrl('http://policies.example/', dev, resolve)).toBe('accepted');
});

test('loopback is accepted where the operator allows it, by name and by number', async () => {
  for (const host of ['localhost', 'localhost.', 'hooks.localhost', '127.0.0.1', '[::1]', '127.1']) {
    expect(await checkWebhookUrl(`http://${host}:3000/hook`, dev)).toBe('accepted');
  }
});

test('a name without an address is not reachable', async () => {
  expect(await checkWebhookUrl('https://nowhere.example/', production, resolve)).toBe('not-reachable');
});

test('a name whose look-up fails is not reachable', async () => {
  const failing: ResolveHost = () => Promise.reject(new Error('SERVFAIL'));
  expect(await checkWebhookUrl('https://policies.example/', production, failing)).toBe('not-reachable');
});

test('a look-up that never ends is given up', async () => {
  const silent: ResolveHost = () => new Promise(() => undefined);
  const config = { ...production, timeoutMs: 20 };
  expect(await checkWebhookUrl('https://policies.example/', config, silent)).toBe('not-reachable');
});
