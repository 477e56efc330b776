import { maxUrlLength } from '@tollfree/contract/limits';
import type { Result } from '../domain/result/result.ts';
import type { WebhookAnswer, WebhookPayload, WebhookRequestType } from '../domain/webhook.ts';

/** A webhook with what is needed to call it. */
export type CallableWebhook = {
  readonly webhookId: string;
  readonly webhookUrl: string;
  readonly requestType: WebhookRequestType;
  readonly payload?: WebhookPayload;
  /** Standard Webhooks secret, `whsec_…`. */
  readonly secret: string;
};

/**
 * Asks one webhook whether the sponsorship is allowed. `dataJson` is the caller's `webhookData` as JSON text,
 * `sponsorshipJson` the additional content for the payload `OPERATION`. Refuses with `WEBHOOK_REFUSED` (a plain `false`) or
 * `WEBHOOK_UNAVAILABLE` (anything else); never throws.
 */
export type WebhookCaller = {
  call(webhook: CallableWebhook, dataJson: string, sponsorshipJson?: string): Promise<Result<true>>;
  /** What a decision's trace says about the calls next to their answers. */
  readonly remark?: string;
};

/**
 * Calls a webhook with data that says it is a test. The call is made as for a sponsorship, but its outcome neither pauses
 * the webhook nor notifies anyone. Never throws.
 */
export type WebhookTester = { test(webhook: CallableWebhook): Promise<WebhookAnswer> };

/** Fixed bounds of webhook URLs and callbacks, independent of the configuration. Sizes in bytes, times in milliseconds. */
export const webhookLimits = {
  urlLength: maxUrlLength,
  /** The caller's `webhookData` as JSON text. */
  dataBytes: 131_072,
  /** A GET callback's whole URL, data included; common servers cut or refuse longer ones. */
  getUrlLength: 8_192,
  answerBytes: 16_384,
  answerHeaderBytes: 8_192,
  timeoutMs: 10_000,
  /** Concurrent callbacks to one webhook, and how many more may wait in the queue. */
  callsAtOnce: 8,
  callsWaiting: 32,
  /** Consecutive outages after which a webhook is paused, and for how long. */
  outagesBeforePause: 5,
  pauseMs: 5_000,
  /** Webhooks whose connections and state are kept; the least recently called one is evicted. */
  lanes: 4_096,
  idleConnectionMs: 4_000,
  idleConnectionMaxMs: 10_000,
  /** Most addresses of one name that are tried. */
  addresses: 16,
} as const;
