import * as api from '@tollfree/contract/webhook';
import type { z } from 'zod';
import { fieldsOfApi } from '../base/fields-of-api.ts';
import { message } from '../base/message-schema.ts';

/** The HTTP methods that a webhook can be called with. */
export type WebhookRequestType = (typeof api.webhookRequestTypes)[number];

/** What a webhook receives: only the caller's `webhookData`, or also the operation and its cost. */
export type WebhookPayload = (typeof api.webhookPayloads)[number];

/** A URL of the account holder that approves or refuses sponsorships (interface section 6). */
export const WebhookSchema = message('Webhook', fieldsOfApi(api.ListedWebhookSchema));
export type Webhook = z.output<typeof WebhookSchema>;

/** A webhook with its paymaster. */
const AccountWebhookSchema = message('AccountWebhook', fieldsOfApi(api.AccountWebhookSchema));

/** A page of webhooks of an account; `nextCursor` is absent on the last one. */
export const WebhookPageSchema = message(
  'WebhookPage',
  fieldsOfApi(api.WebhookPageSchema, { webhooks: AccountWebhookSchema }),
);
export type WebhookPage = z.output<typeof WebhookPageSchema>;

/** A webhook's verdict: it approved, it refused, or its answer was unusable. */
export type WebhookVerdict = (typeof api.webhookVerdicts)[number];

/**
 * One call of a webhook and its answer. `status` is the HTTP status, if one was received; `problem` completes the sentence
 * "Webhook <id> …" if the answer was unusable, and contains no address and no secret.
 */
export const WebhookAnswerSchema = message('WebhookAnswer', fieldsOfApi(api.WebhookAnswerSchema));
export type WebhookAnswer = z.output<typeof WebhookAnswerSchema>;

/** A page of a webhook's answers, newest first; `nextCursor` is absent on the last one. */
export const WebhookAnswerPageSchema = message(
  'WebhookAnswerPage',
  fieldsOfApi(api.WebhookAnswerPageSchema, { answers: WebhookAnswerSchema }),
);

/** The secret that signs a webhook's callbacks. */
export const WebhookSecretSchema = message('WebhookSecret', fieldsOfApi(api.WebhookSecretSchema));
