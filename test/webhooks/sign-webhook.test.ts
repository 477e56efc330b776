import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { generateWebhookSecret, signWebhook, webhookSecretBinding } from '../../core/webhooks/sign-webhook.ts';

test('a new secret has 32 bytes behind its prefix, is new each time, and signs what verifies', () => {
  const [secret, other] = [generateWebhookSecret(), generateWebhookSecret()];
  expect(secret).toMatch(/^whsec_/);
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  expect(secret).not.toBe(other);
  const headers = signWebhook(secret, '{}', Date.now());
  expect(() => new Webhook(secret).verify('{}', { ...headers })).not.toThrow();
  expect(() => new Webhook(other).verify('{}', { ...headers })).toThrow();
});

test('a message that is sent again keeps its id', () => {
  const headers = signWebhook(generateWebhookSecret(), '{}', 1_000, 'msg_once');
  expect(headers['webhook-id']).toBe('msg_once');
});

test('an id that no one gave is a new one each time', () => {
  const ids = [1, 2].map(() => signWebhook(generateWebhookSecret(), '{}', 1_000)['webhook-id']);
  expect(ids[0]).toMatch(/^msg_[0-9a-f-]{36}$/);
  expect(ids[0]).not.toBe(ids[1]);
});

test.each(['whsec_', '', 'whsec_!!!'])('a secret without a key (%j) signs nothing', (secret) => {
  expect(() => signWebhook(secret, '{}', 1_000)).toThrow('without a key');
});

test('a secret is tied to the row that it was sealed for, in a database of every version', () => {
  expect(webhookSecretBinding('hook-1')).toBe('webhooks/hook-1/secret');
});
