import type { DeleteWebhookRequest } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type DeleteWebhookParameters = DeleteWebhookRequest & ApiKeyParameter;

/** Removes a webhook (interface 4.1). */
export async function deleteWebhook(client: ManagementConnection, parameters: DeleteWebhookParameters): Promise<void> {
  const { webhookId } = parameters;
  const response = await routesOf(client).webhook.delete({
    headers: apiKeyHeader(client, parameters),
    body: { webhookId },
  });
  successBody(response);
}
