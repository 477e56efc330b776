import { webhookFailureModes, webhookPayloads, webhookRequestTypes, webhookVerdicts } from '@tollfree/contract/webhook';
import { z } from 'zod';
import {
  amount,
  count,
  fieldsOf,
  flag,
  integer,
  listOf,
  message,
  request,
  seconds,
  text,
} from '../base/message-schema.ts';
import type { LimitWindow } from './policy.ts';

/** The HTTP methods that a webhook can be called with. */
export { webhookRequestTypes };
export type WebhookRequestType = (typeof webhookRequestTypes)[number];

/** What a webhook is told: the `webhookData` of the caller alone, or the operation and what it costs too. */
export { webhookPayloads };
export type WebhookPayload = (typeof webhookPayloads)[number];

/** What becomes of a sponsorship whose webhook is down: it is refused, or made without it as far as a budget goes. */
export { webhookFailureModes };

/** The windows of a failure budget, of the UTC calendar. */
export const failureWindows = ['hour', 'day'] as const satisfies readonly LimitWindow[];
export type FailureWindow = (typeof failureWindows)[number];

/**
 * So much may be sponsored in each window without a webhook that is down, in wei: what is held for signatures that may
 * still land, and what landed ones have cost.
 */
const FailureBudgetSchema = message('FailureBudget', {
  /** `hour` or `day`, of the UTC calendar. As sent by the caller in a request. */
  window: z.enum(failureWindows),
  /** Wei. */
  max: amount,
});
export type FailureBudget = z.output<typeof FailureBudgetSchema>;

/** A URL of the account holder that is asked whether a sponsorship's policies hold (interface section 6). */
export const WebhookSchema = message('Webhook', {
  webhookId: text,
  webhookUrl: text,
  requestType: z.enum(webhookRequestTypes),
  /** An inactive webhook is not called and does not block. */
  active: flag,
  /** `DATA` or `OPERATION`: what is sent to it. Absent: `DATA`. */
  payload: z.enum(webhookPayloads).exactOptional(),
  /** `REFUSE` or `SPONSOR`: what becomes of a sponsorship when it is down. Absent: `REFUSE`. */
  onFailure: z.enum(webhookFailureModes).exactOptional(),
  /** Of `SPONSOR`, which has one. */
  failureBudget: FailureBudgetSchema.exactOptional(),
});
export type Webhook = z.output<typeof WebhookSchema>;

/** As a caller wishes it: the core checks the window. */
const WishedBudgetSchema = message('FailureBudget', { window: text, max: amount });

/** What can be said of a webhook next to its URL and how it is called; what is absent is not changed. */
export const webhookSettings = {
  payload: text.exactOptional(),
  onFailure: text.exactOptional(),
  failureBudget: WishedBudgetSchema.exactOptional(),
};
const WebhookSettingsSchema = request(webhookSettings);
export type WebhookSettings = z.output<typeof WebhookSettingsSchema>;

/** A webhook with whose it is. */
const AccountWebhookSchema = message('AccountWebhook', {
  ...fieldsOf(WebhookSchema),
  /** The paymaster whose sponsorships it decides on. */
  paymasterId: text,
});

/** A page of webhooks of an account; `nextCursor` is absent on the last one. */
export const WebhookPageSchema = message('WebhookPage', {
  webhooks: listOf(AccountWebhookSchema),
  /** Asks for the next page. Absent on the last one. */
  nextCursor: text.exactOptional(),
});

/** What a webhook said: that the policies hold, that they do not, or nothing that can be relied on. */
export { webhookVerdicts };
export type WebhookVerdict = (typeof webhookVerdicts)[number];

/**
 * One call of a webhook and its answer. `status` is the HTTP status, where one came; `problem` completes the sentence
 * "Webhook <id> …" where it could not be relied on, and names no address and no secret.
 */
export const WebhookAnswerSchema = message('WebhookAnswer', {
  askedAt: seconds,
  /** From the call to the whole answer, waiting for its turn included. */
  durationMs: count,
  verdict: z.enum(webhookVerdicts),
  status: integer.exactOptional(),
  /** Completes the sentence "Webhook <id> …" where it could not be relied on. */
  problem: text.exactOptional(),
  /** That the account holder asked for it, and nothing was sponsored by it. */
  isTest: flag,
  /** `DATA` or `OPERATION`: what was sent to it. Absent: `DATA`. */
  payload: z.enum(webhookPayloads).exactOptional(),
});
export type WebhookAnswer = z.output<typeof WebhookAnswerSchema>;

/** A page of a webhook's answers, newest first; `nextCursor` is absent on the last one. */
export const WebhookAnswerPageSchema = message('WebhookAnswerPage', {
  answers: listOf(WebhookAnswerSchema),
  /** Asks for the next page. Absent on the last one. */
  nextCursor: text.exactOptional(),
});

/** The secret that signs a webhook's callbacks. */
export const WebhookSecretSchema = message('WebhookSecret', {
  /** Standard Webhooks form, `whsec_…`. */
  secret: text,
});
