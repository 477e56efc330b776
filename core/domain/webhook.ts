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

/** What a webhook receives: only the caller's `webhookData`, or also the operation and its cost. */
export { webhookPayloads };
export type WebhookPayload = (typeof webhookPayloads)[number];

/** What happens to a sponsorship whose webhook is down: it is refused, or made without the webhook within a budget. */
export { webhookFailureModes };

/** The windows of a failure budget, by the UTC calendar. */
export const failureWindows = ['hour', 'day'] as const satisfies readonly LimitWindow[];
export type FailureWindow = (typeof failureWindows)[number];

/**
 * How much may be sponsored in each window without a webhook that is down, in wei: what is held for signatures that may
 * still land, plus the cost of landed ones.
 */
const FailureBudgetSchema = message('FailureBudget', {
  /** `hour` or `day`, by the UTC calendar. As sent by the caller in a request. */
  window: z.enum(failureWindows),
  /** Wei. */
  max: amount,
});
export type FailureBudget = z.output<typeof FailureBudgetSchema>;

/** A URL of the account holder that approves or refuses sponsorships (interface section 6). */
export const WebhookSchema = message('Webhook', {
  webhookId: text,
  webhookUrl: text,
  requestType: z.enum(webhookRequestTypes),
  /** An inactive webhook is not called and does not block. */
  active: flag,
  /** `DATA` or `OPERATION`: what it receives. Absent: `DATA`. */
  payload: z.enum(webhookPayloads).exactOptional(),
  /** `REFUSE` or `SPONSOR`: what happens to a sponsorship when it is down. Absent: `REFUSE`. */
  onFailure: z.enum(webhookFailureModes).exactOptional(),
  /** For `SPONSOR`, which requires one. */
  failureBudget: FailureBudgetSchema.exactOptional(),
});
export type Webhook = z.output<typeof WebhookSchema>;

/** As sent by the caller: the core checks the window. */
const WishedBudgetSchema = message('FailureBudget', { window: text, max: amount });

/** The settings of a webhook besides its URL and method; absent fields are not changed. */
export const webhookSettings = {
  payload: text.exactOptional(),
  onFailure: text.exactOptional(),
  failureBudget: WishedBudgetSchema.exactOptional(),
};
const WebhookSettingsSchema = request(webhookSettings);
export type WebhookSettings = z.output<typeof WebhookSettingsSchema>;

/** A webhook with its paymaster. */
const AccountWebhookSchema = message('AccountWebhook', {
  ...fieldsOf(WebhookSchema),
  /** The paymaster whose sponsorships it decides on. */
  paymasterId: text,
});

/** A page of webhooks of an account; `nextCursor` is absent on the last one. */
export const WebhookPageSchema = message('WebhookPage', {
  webhooks: listOf(AccountWebhookSchema),
  /** Cursor of the next page. Absent on the last one. */
  nextCursor: text.exactOptional(),
});

/** A webhook's verdict: it approved, it refused, or its answer was unusable. */
export { webhookVerdicts };
export type WebhookVerdict = (typeof webhookVerdicts)[number];

/**
 * One call of a webhook and its answer. `status` is the HTTP status, if one was received; `problem` completes the sentence
 * "Webhook <id> …" if the answer was unusable, and contains no address and no secret.
 */
export const WebhookAnswerSchema = message('WebhookAnswer', {
  askedAt: seconds,
  /** From the call to the complete answer, including its wait in the queue. */
  durationMs: count,
  verdict: z.enum(webhookVerdicts),
  status: integer.exactOptional(),
  /** Completes the sentence "Webhook <id> …" if the answer was unusable. */
  problem: text.exactOptional(),
  /** The account holder requested it, and nothing was sponsored by it. */
  isTest: flag,
  /** `DATA` or `OPERATION`: what it received. Absent: `DATA`. */
  payload: z.enum(webhookPayloads).exactOptional(),
});
export type WebhookAnswer = z.output<typeof WebhookAnswerSchema>;

/** A page of a webhook's answers, newest first; `nextCursor` is absent on the last one. */
export const WebhookAnswerPageSchema = message('WebhookAnswerPage', {
  answers: listOf(WebhookAnswerSchema),
  /** Cursor of the next page. Absent on the last one. */
  nextCursor: text.exactOptional(),
});

/** The secret that signs a webhook's callbacks. */
export const WebhookSecretSchema = message('WebhookSecret', {
  /** Standard Webhooks form, `whsec_…`. */
  secret: text,
});
