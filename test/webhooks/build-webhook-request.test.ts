import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { buildWebhookRequest } from '../../core/webhooks/sign-webhook.ts';
import { testSecret, webhookAt } from '../support/servers/webhook-server.ts';

const url = new URL('https://policies.example/hook?data=own&tenant=1');
const jsonObject = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));

test('any JSON object arrives as it was given and verifies, by GET and by POST', () => {
  const receiver = new Webhook(testSecret);
  fc.assert(
    fc.property(jsonObject, (dataJson) => {
      const now = Date.now();
      const post = buildWebhookRequest({ webhook: webhookAt(url.href), url, dataJson, now });
      receiver.verify(post.body ?? '', { ...post.headers });
      expect(post.body).toBe(`{"data":${dataJson}}`);
      expect(JSON.parse(post.body ?? '')).toEqual({ data: JSON.parse(dataJson) });

      const get = buildWebhookRequest({ webhook: webhookAt(url.href, { requestType: 'GET' }), url, dataJson, now });
      const [own, ours, ...more] = new URL(get.path, url).searchParams.getAll('data');
      receiver.verify(ours ?? '', { ...get.headers });
      expect([own, ours, more]).toEqual(['own', dataJson, []]);
    }),
    { numRuns: 200 },
  );
});

test('the timestamp is in whole seconds of the service clock', () => {
  const request = buildWebhookRequest({ webhook: webhookAt(url.href), url, dataJson: '{}', now: 1_700_000_000_999 });
  expect(request.headers['webhook-timestamp']).toBe('1700000000');
});

test.each([
  ['https://policies.example/hook', '/hook?data=%7B%7D'],
  ['https://policies.example/hook?', '/hook?data=%7B%7D'],
  ['https://policies.example/hook?tenant=1', '/hook?tenant=1&data=%7B%7D'],
  ['https://policies.example', '/?data=%7B%7D'],
])('a GET has its data behind whatever query the URL has: %s', (webhookUrl, path) => {
  const webhook = webhookAt(webhookUrl, { requestType: 'GET' });
  const request = buildWebhookRequest({ webhook, url: new URL(webhookUrl), dataJson: '{}', now: 0 });
  expect(request).toMatchObject({ method: 'GET', path, body: null });
});
