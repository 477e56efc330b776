import type { Owned } from '../access/owned.ts';
import type { Result } from '../result/result.ts';
import type { Webhook, WebhookAnswer, WebhookAnswerPage, WebhookPage, WebhookSettings } from '../webhook.ts';

/** Webhooks that decide about sponsorship, and what they answered. */
export type WebhookOperations = {
  createWebhook(input: Owned & { webhookUrl: string; requestType: string } & WebhookSettings): Promise<Result<Webhook>>;
  /** All webhooks of the paymaster, or the one with the id; an unknown id gives an empty list. */
  listWebhooks(input: Owned & { webhookId?: string }): Promise<Result<readonly Webhook[]>>;
  /** Webhooks of all paymasters of the account, or of one of them, the oldest first: 1 to 200 (50 by default), from `cursor` on. */
  listAccountWebhooks(input: {
    accountId: string;
    paymasterId?: string;
    cursor?: string;
    limit?: number;
  }): Promise<Result<WebhookPage>>;
  updateWebhook(
    input: Owned & { webhookId: string; active: boolean; webhookUrl?: string } & WebhookSettings,
  ): Promise<Result<Webhook>>;
  deleteWebhook(input: Owned & { webhookId: string }): Promise<Result<Webhook>>;
  /** The secret that signs this webhook's callbacks (Standard Webhooks form, `whsec_…`). */
  readWebhookSecret(input: Owned & { webhookId: string }): Promise<Result<{ secret: string }>>;
  rotateWebhookSecret(input: Owned & { webhookId: string }): Promise<Result<{ secret: string }>>;
  /** Asks a webhook with data that says it is a test, also an inactive one. Its answer goes into its log and nowhere else. */
  testWebhook(input: Owned & { webhookId: string }): Promise<Result<WebhookAnswer>>;
  /** What a webhook answered, newest first: 1 to 200 (50 by default) of the last 200, from `cursor` on. */
  listWebhookAnswers(
    input: Owned & { webhookId: string; cursor?: string; limit?: number },
  ): Promise<Result<WebhookAnswerPage>>;
};
