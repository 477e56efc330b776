import type { UpdateWebhookRequest } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { successBody } from '../success-body.ts';

export type UpdateWebhookParameters = UpdateWebhookRequest & ApiKeyParameter;

/** Activates or deactivates a webhook (interface 4.1). An inactive one is not asked and does not block. */
export async function updateWebhook(client: ManagementConnection, parameters: UpdateWebhookParameters): Promise<void> {
  const { webhookId, active } = parameters;
  const response = await client.routes.webhook.update({
    headers: apiKeyHeader(client, parameters),
    body: { webhookId, active },
  });
  successBody(response);
}
