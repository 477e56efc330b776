import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { UpdateWebhookRequest } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type UpdateWebhookParameters = UpdateWebhookRequest & ApiKeyParameter;

/**
 * Activates or deactivates a webhook (interface 4.1), gives it another URL, and says what it is told and what becomes of a sponsorship when it is down.
 * An inactive one is not asked and does not block.
 */
export async function updateWebhook(client: ManagementConnection, parameters: UpdateWebhookParameters): Promise<void> {
  const { webhookId, active, webhookUrl, payload, onFailure, failureBudget } = parameters;
  const response = await routesOf(client).webhook.update({
    headers: apiKeyHeader(client, parameters),
    body: { webhookId, active, ...omitAbsent({ webhookUrl, payload, onFailure, failureBudget }) },
  });
  successBody(response);
}
