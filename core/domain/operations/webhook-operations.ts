import { webhookOperations as api } from '@tollfree/contract/webhook';
import { listMessage, request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import {
  WebhookAnswerPageSchema,
  WebhookAnswerSchema,
  WebhookPageSchema,
  WebhookSchema,
  WebhookSecretSchema,
} from '../webhook.ts';
import { type CoreMethods, inputOf } from './core-methods.ts';

/** Webhooks that decide about sponsorship, and their answers. */
export const webhookOperations = {
  /** Registers a webhook; it is active at once. */
  createWebhook: {
    input: inputOf(api.create),
    value: WebhookSchema,
  },
  /** All webhooks of the paymaster, or the one with the id; an unknown id gives an empty list. */
  listWebhooks: {
    input: request({ ...owned, webhookId: text.exactOptional() }),
    value: listMessage('WebhookList', 'webhooks', WebhookSchema),
  },
  /**
   * Webhooks of all paymasters of the account, or of one of them, oldest first: 1 to 200 (50 by default), from `cursor` on.
   */
  listAccountWebhooks: {
    input: inputOf(api.listAll),
    value: WebhookPageSchema,
  },
  /** Changes the given settings of a webhook. */
  updateWebhook: {
    input: inputOf(api.update),
    value: WebhookSchema,
  },
  /** Deletes a webhook. */
  deleteWebhook: { input: inputOf(api.delete), value: WebhookSchema },
  /** The secret that signs this webhook's callbacks (Standard Webhooks form, `whsec_…`). */
  readWebhookSecret: { input: inputOf(api.readSecret), value: WebhookSecretSchema },
  /** Replaces that secret. */
  rotateWebhookSecret: { input: inputOf(api.rotateSecret), value: WebhookSecretSchema },
  /** Calls a webhook, even an inactive one, with data that says it is a test. Only the webhook's log records the answer. */
  testWebhook: { input: inputOf(api.test), value: WebhookAnswerSchema },
  /** A webhook's answers, newest first: 1 to 200 (50 by default) of the last 200, from `cursor` on. */
  listWebhookAnswers: {
    input: inputOf(api.listAnswers),
    value: WebhookAnswerPageSchema,
  },
} as const satisfies CoreMethods;
