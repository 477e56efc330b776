import type { Result } from '../domain/result/result.ts';
import type { FailureBudget, WebhookAnswer, WebhookPayload, WebhookRequestType } from '../domain/webhook.ts';

/** A webhook with what is needed to call it. */
export type CallableWebhook = {
  readonly webhookId: string;
  readonly webhookUrl: string;
  readonly requestType: WebhookRequestType;
  readonly payload?: WebhookPayload;
  /** What may be sponsored without it when it is down, nothing when absent; `era` says how often it has been changed. */
  readonly failureBudget?: FailureBudget & { readonly era: number };
  /** Standard Webhooks secret, `whsec_…`. */
  readonly secret: string;
};

/** What a webhook decided. `isDown`: nothing, because its own server is down or broken; see `webhook-outcome.ts`. */
export type WebhookResult = Result<true> & { readonly isDown?: true };

/**
 * Asks one webhook whether the sponsorship's policies hold. `dataJson` is the caller's `webhookData` as JSON text,
 * `sponsorshipJson` what a webhook with the payload `OPERATION` is told next to it. Refuses with `WEBHOOK_REFUSED` (a plain
 * `false`) or `WEBHOOK_UNAVAILABLE` (anything else); never throws.
 */
export type WebhookCaller = {
  call(webhook: CallableWebhook, dataJson: string, sponsorshipJson?: string): Promise<WebhookResult>;
  /** What a decision's trace says of the calls next to their answers. */
  readonly remark?: string;
};

/**
 * Calls a webhook with data that says it is a test. It is called as for a sponsorship, but what came of it neither leaves it
 * alone nor is told to anybody. Never throws.
 */
export type WebhookTester = { test(webhook: CallableWebhook): Promise<WebhookAnswer> };
