import { webhookFailureModes, webhookPayloads, webhookRequestTypes, webhookVerdicts } from '@tollfree/contract/webhook';
import type { LimitWindow } from './policy.ts';

/** The HTTP methods that a webhook can be called with. */
export { webhookRequestTypes };
export type WebhookRequestType = (typeof webhookRequestTypes)[number];

/** What a webhook is told: the `webhookData` of the caller alone, or the operation and what it costs too. */
export { webhookPayloads };
export type WebhookPayload = (typeof webhookPayloads)[number];

/** What becomes of a sponsorship whose webhook is down: it is refused, or made without it as far as a budget goes. */
export { webhookFailureModes };
export type WebhookFailureMode = (typeof webhookFailureModes)[number];

/** The windows of a failure budget, of the UTC calendar. */
export const failureWindows = ['hour', 'day'] as const satisfies readonly LimitWindow[];
export type FailureWindow = (typeof failureWindows)[number];

/**
 * So much may be sponsored in each window without a webhook that is down, in wei: what is held for signatures that may still land,
 * and what landed ones have cost.
 */
export type FailureBudget = { readonly window: FailureWindow; readonly max: bigint };

/** A URL of the account holder that is asked whether a sponsorship's policies hold (interface section 6). */
export type Webhook = {
  readonly webhookId: string;
  readonly webhookUrl: string;
  readonly requestType: WebhookRequestType;
  readonly active: boolean;
  /** `DATA` when absent. */
  readonly payload?: WebhookPayload;
  /** `REFUSE` when absent. */
  readonly onFailure?: WebhookFailureMode;
  /** Of `SPONSOR`, which has one. */
  readonly failureBudget?: FailureBudget;
};

/** What can be said of a webhook next to its URL and how it is called; what is absent is not changed. */
export type WebhookSettings = {
  readonly payload?: string;
  readonly onFailure?: string;
  readonly failureBudget?: { readonly window: string; readonly max: bigint };
};

/** A webhook with whose it is. */
export type AccountWebhook = Webhook & { readonly paymasterId: string };

/** A page of webhooks of an account; `nextCursor` is absent on the last one. */
export type WebhookPage = { readonly webhooks: readonly AccountWebhook[]; readonly nextCursor?: string };

/** What a webhook said: that the policies hold, that they do not, or nothing that can be relied on. */
export { webhookVerdicts };
export type WebhookVerdict = (typeof webhookVerdicts)[number];

/**
 * One call of a webhook and its answer. `status` is the HTTP status, where one came; `problem` completes the sentence
 * "Webhook <id> …" where it could not be relied on, and names no address and no secret.
 */
export type WebhookAnswer = {
  /** Unix seconds. */
  readonly askedAt: number;
  /** From the call to the whole answer, waiting for its turn included. */
  readonly durationMs: number;
  readonly verdict: WebhookVerdict;
  readonly status?: number;
  readonly problem?: string;
  /** That the account holder asked for it, and nothing was sponsored by it. */
  readonly isTest: boolean;
  /** What it was told: `DATA` when absent. */
  readonly payload?: WebhookPayload;
};

/** A page of a webhook's answers, newest first; `nextCursor` is absent on the last one. */
export type WebhookAnswerPage = { readonly answers: readonly WebhookAnswer[]; readonly nextCursor?: string };
