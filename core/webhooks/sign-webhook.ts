import { createHmac, randomBytes, randomUUID } from 'node:crypto';

/** The three headers of Standard Webhooks. */
type WebhookSignatureHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

/**
 * Signs one callback by Standard Webhooks 1: HMAC-SHA256 over `<id>.<timestamp>.<content>`. The receiver can check the
 * origin, the age and, by the unique id, replay.
 *
 * @param secret `whsec_` and the key in base64.
 * @param content The text the receiver verifies: a POST's body, a GET's `data`.
 * @param now Unix time in milliseconds; the header has seconds.
 * @param id The message's id, for one that is sent again with the same id.
 */
export function signWebhook(
  secret: string,
  content: string,
  now: number,
  id = `msg_${randomUUID()}`,
): WebhookSignatureHeaders {
  const timestamp = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new Error('webhook secret without a key');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${content}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** Standard Webhooks requires 24 to 64 bytes. */
const secretBytes = 32;

/** A new secret in the form of Standard Webhooks, `whsec_<base64>`. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

/** Binds a sealed secret to its row. */
export function webhookSecretBinding(webhookId: string): string {
  return `webhooks/${webhookId}/secret`;
}
