import type { ListedWebhookItem, ListWebhooksQuery, ListWebhooksRequest } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ListWebhooksParameters = ListWebhooksQuery & ApiKeyParameter;

/** The body the interface asks for with this GET. Where none can be sent the service does without. */
const body: ListWebhooksRequest = { webhookUrl: '' };

/** The webhook with an id, as a list (interface 4.1). An id that is not the paymaster's gives an empty list. */
export async function listWebhooks(
  client: ManagementConnection,
  parameters: ListWebhooksParameters,
): Promise<readonly ListedWebhookItem[]> {
  const { webhookId } = parameters;
  const response = await routesOf(client).webhook.list({
    headers: apiKeyHeader(client, parameters),
    query: { webhookId },
    getBody: JSON.stringify(body),
  });
  return successBody(response).data;
}
