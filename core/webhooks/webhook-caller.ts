import type { Result } from '../domain/result/result.ts';
import type { FailureBudget, WebhookAnswer, WebhookPayload, WebhookRequestType } from '../domain/webhook.ts';

/** A webhook with what is needed to call it. */
export type CallableWebhook = {
  readonly webhookId: string;
  readonly webhookUrl: string;
  readonly requestType: WebhookRequestType;
  readonly payload?: WebhookPayload;
  /** What may be sponsored without the webhook while it is down; nothing when absent. `era` counts its changes. */
  readonly failureBudget?: FailureBudget & { readonly era: number };
  /** Standard Webhooks secret, `whsec_…`. */
  readonly secret: string;
};

/** A webhook's decision. `isDown`: none, because its own server is down or broken; see `webhook-outcome.ts`. */
export type WebhookResult = Result<true> & { readonly isDown?: true };

/**
 * Asks one webhook whether the sponsorship is allowed. `dataJson` is the caller's `webhookData` as JSON text,
 * `sponsorshipJson` the additional content for the payload `OPERATION`. Refuses with `WEBHOOK_REFUSED` (a plain `false`) or
 * `WEBHOOK_UNAVAILABLE` (anything else); never throws.
 */
export type WebhookCaller = {
  call(webhook: CallableWebhook, dataJson: string, sponsorshipJson?: string): Promise<WebhookResult>;
  /** What a decision's trace says about the calls next to their answers. */
  readonly remark?: string;
};

/**
 * Calls a webhook with data that says it is a test. The call is made as for a sponsorship, but its outcome neither pauses
 * the webhook nor notifies anyone. Never throws.
 */
export type WebhookTester = { test(webhook: CallableWebhook): Promise<WebhookAnswer> };
