import {
  AccountWebhookSchema,
  FailureBudgetSchema,
  WebhookAnswerPageSchema,
  WebhookAnswerSchema,
  WebhookListSchema,
  WebhookPageSchema,
  WebhookSchema,
  WebhookSecretSchema,
} from '../../../proto/gen/tollfree/core/v1/webhook_pb.ts';
import {
  type AccountWebhook,
  type FailureBudget,
  failureWindows,
  type Webhook,
  type WebhookAnswer,
  type WebhookAnswerPage,
  type WebhookPage,
  type WebhookSettings,
  webhookFailureModes,
  webhookPayloads,
  webhookRequestTypes,
  webhookVerdicts,
} from '../../domain/webhook.ts';
import { count } from '../codec/count.ts';
import { decimal } from '../codec/decimal.ts';
import { listOf } from '../codec/list.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { seconds } from '../codec/seconds.ts';
import { soleField } from '../codec/sole-field.ts';

/** As it is asked for: whether it is one of the windows is for the core to say. */
export const askedBudget = messageOf<NonNullable<WebhookSettings['failureBudget']>>()(FailureBudgetSchema, {
  max: decimal,
});

const failure = {
  onFailure: oneOf(webhookFailureModes),
  failureBudget: messageOf<FailureBudget>()(FailureBudgetSchema, { window: oneOf(failureWindows), max: decimal }),
};

export const webhook = messageOf<Webhook>()(WebhookSchema, {
  requestType: oneOf(webhookRequestTypes),
  payload: oneOf(webhookPayloads),
  ...failure,
});
export const webhooks = soleField(WebhookListSchema, listOf(webhook));
export const webhookSecret = messageOf<{ secret: string }>()(WebhookSecretSchema);

const accountWebhook = messageOf<AccountWebhook>()(AccountWebhookSchema, {
  requestType: oneOf(webhookRequestTypes),
  payload: oneOf(webhookPayloads),
  ...failure,
});
export const webhookPage = messageOf<WebhookPage>()(WebhookPageSchema, { webhooks: listOf(accountWebhook) });

export const webhookAnswer = messageOf<WebhookAnswer>()(WebhookAnswerSchema, {
  askedAt: seconds,
  durationMs: count,
  verdict: oneOf(webhookVerdicts),
  payload: oneOf(webhookPayloads),
});
export const webhookAnswerPage = messageOf<WebhookAnswerPage>()(WebhookAnswerPageSchema, {
  answers: listOf(webhookAnswer),
});
