import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ListWebhookAnswersQuery, WebhookAnswerPage } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListWebhookAnswersParameters = ApiKeyParameter &
  Omit<ListWebhookAnswersQuery, 'limit'> & {
    readonly webhookId: string;
    /** Answers in the page, 1 to 200; 50 by default. */
    readonly limit?: number | undefined;
  };

/** A page of what a webhook answered and in what time, newest first; `nextCursor` leads to the next one. */
export async function listWebhookAnswers(
  client: ManagementConnection,
  parameters: ListWebhookAnswersParameters,
): Promise<WebhookAnswerPage> {
  const { webhookId, cursor, limit } = parameters;
  const response = await routesOf(client).webhook.listAnswers({
    headers: apiKeyHeader(client, parameters),
    params: { webhookId: encodeURIComponent(webhookId) },
    query: omitAbsent({ cursor, limit: limit?.toString() }),
  });
  return successBody(response).data;
}
