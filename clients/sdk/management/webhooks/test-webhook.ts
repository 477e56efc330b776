import type { WebhookAnswerItem } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type TestWebhookParameters = ApiKeyParameter & { readonly webhookId: string };

/** Calls a webhook with data that says it is a test, and answers what came of it. Nothing else changes by it. */
export async function testWebhook(
  client: ManagementConnection,
  parameters: TestWebhookParameters,
): Promise<WebhookAnswerItem> {
  const response = await routesOf(client).webhook.test({
    headers: apiKeyHeader(client, parameters),
    params: { webhookId: encodeURIComponent(parameters.webhookId) },
  });
  return successBody(response).data;
}
