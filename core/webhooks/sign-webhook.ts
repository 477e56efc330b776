import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { WebhookRequestType } from '../domain/webhook.ts';
import type { CallableWebhook } from './webhook-caller.ts';

/** A callback ready to be sent. `path` holds path and query. */
export type WebhookRequest = {
  readonly method: WebhookRequestType;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

const commonHeaders = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tollfree' };

/**
 * Puts the caller's `webhookData` into the form the webhook registered (interface section 6). The JSON text is copied
 * unchanged, so numbers and key order stay as the caller wrote them.
 *
 * - POST: the body is `{"data":<webhookData>}`, with the payload `OPERATION` followed by a field `sponsorship`; the
 *   signature covers the exact body.
 * - GET: the JSON text is percent-encoded into a query parameter `data`, after the URL's own query; the signature covers the
 *   JSON text, which is what the receiver gets from the parameter. If the URL has a `data` of its own, ours is the last one.
 */
export function buildWebhookRequest(options: {
  webhook: CallableWebhook;
  url: URL;
  dataJson: string;
  /** The `sponsorship` field as JSON text; only in a POST. */
  sponsorshipJson?: string;
  /** Unix time in milliseconds. */
  now: number;
}): WebhookRequest {
  const { webhook, url, dataJson, sponsorshipJson, now } = options;
  const path = url.pathname + url.search;
  if (webhook.requestType === 'GET') {
    return {
      method: 'GET',
      path: `${path}${url.search === '' ? '?' : '&'}data=${encodeURIComponent(dataJson)}`,
      headers: { ...commonHeaders, ...signWebhook(webhook.secret, dataJson, now) },
      body: null,
    };
  }
  const more = sponsorshipJson === undefined ? '' : `,"sponsorship":${sponsorshipJson}`;
  const body = `{"data":${dataJson}${more}}`;
  return {
    method: 'POST',
    path,
    headers: { ...commonHeaders, 'content-type': 'application/json', ...signWebhook(webhook.secret, body, now) },
    body,
  };
}

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
