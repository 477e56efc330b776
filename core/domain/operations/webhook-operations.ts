import { flag, integer, listMessage, request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
import {
  WebhookAnswerPageSchema,
  WebhookAnswerSchema,
  WebhookPageSchema,
  WebhookSchema,
  WebhookSecretSchema,
  webhookSettings,
} from '../webhook.ts';
import type { CoreMethods, OperationsOf } from './core-methods.ts';

/** Webhooks that decide about sponsorship, and their answers. */
export const webhookOperations = {
  /** Registers a webhook; it is active at once. */
  createWebhook: {
    input: request({
      ...owned,
      webhookUrl: text,
      requestType: text,
      ...webhookSettings,
    }),
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
    input: request({
      accountId: text,
      paymasterId: text.exactOptional(),
      cursor: text.exactOptional(),
      limit: integer.exactOptional(),
    }),
    value: WebhookPageSchema,
  },
  /** Changes the given settings of a webhook. */
  updateWebhook: {
    input: request({
      ...owned,
      webhookId: text,
      active: flag,
      ...webhookSettings,
      webhookUrl: text.exactOptional(),
    }),
    value: WebhookSchema,
  },
  /** Deletes a webhook. */
  deleteWebhook: { input: request({ ...owned, webhookId: text }), value: WebhookSchema },
  /** The secret that signs this webhook's callbacks (Standard Webhooks form, `whsec_…`). */
  readWebhookSecret: { input: request({ ...owned, webhookId: text }), value: WebhookSecretSchema },
  /** Replaces that secret. */
  rotateWebhookSecret: { input: request({ ...owned, webhookId: text }), value: WebhookSecretSchema },
  /** Calls a webhook, even an inactive one, with data that says it is a test. Only the webhook's log records the answer. */
  testWebhook: { input: request({ ...owned, webhookId: text }), value: WebhookAnswerSchema },
  /** A webhook's answers, newest first: 1 to 200 (50 by default) of the last 200, from `cursor` on. */
  listWebhookAnswers: {
    input: request({ ...owned, webhookId: text, cursor: text.exactOptional(), limit: integer.exactOptional() }),
    value: WebhookAnswerPageSchema,
  },
} as const satisfies CoreMethods;
export type WebhookOperations = OperationsOf<typeof webhookOperations>;
