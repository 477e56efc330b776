import type { WebhookRequestType } from '../domain/webhook.ts';
import { signWebhook } from './sign-webhook.ts';
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
