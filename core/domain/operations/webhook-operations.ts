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

/** Webhooks that decide about sponsorship, and what they answered. */
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
  /** Webhooks of all paymasters of the account, or of one of them, the oldest first: 1 to 200 (50 by default), from `cursor` on. */
  listAccountWebhooks: {
    input: request({
      accountId: text,
      paymasterId: text.exactOptional(),
      cursor: text.exactOptional(),
      limit: integer.exactOptional(),
    }),
    value: WebhookPageSchema,
  },
  /** Switches a webhook on or off. */
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
  /** Forgets a webhook. */
  deleteWebhook: { input: request({ ...owned, webhookId: text }), value: WebhookSchema },
  /** The secret that signs this webhook's callbacks (Standard Webhooks form, `whsec_…`). */
  readWebhookSecret: { input: request({ ...owned, webhookId: text }), value: WebhookSecretSchema },
  /** Replaces that secret. */
  rotateWebhookSecret: { input: request({ ...owned, webhookId: text }), value: WebhookSecretSchema },
  /** Asks a webhook with data that says it is a test, also an inactive one. Its answer goes into its log and nowhere else. */
  testWebhook: { input: request({ ...owned, webhookId: text }), value: WebhookAnswerSchema },
  /** What a webhook answered, newest first: 1 to 200 (50 by default) of the last 200, from `cursor` on. */
  listWebhookAnswers: {
    input: request({ ...owned, webhookId: text, cursor: text.exactOptional(), limit: integer.exactOptional() }),
    value: WebhookAnswerPageSchema,
  },
} as const satisfies CoreMethods;
export type WebhookOperations = OperationsOf<typeof webhookOperations>;
