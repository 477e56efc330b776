import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { CreateWebhookRequest, WebhookItem } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type CreateWebhookParameters = CreateWebhookRequest & ApiKeyParameter;

/**
 * Registers a URL that is asked whether a sponsorship's policies hold (interface 4.1). It is active from the start.
 *
 * @example
 * const { webhookId } = await createWebhook(client, { webhookUrl: 'https://shop.example/gas', requestType: 'POST' });
 */
export async function createWebhook(
  client: ManagementConnection,
  parameters: CreateWebhookParameters,
): Promise<WebhookItem> {
  const { webhookUrl, requestType, payload, onFailure, failureBudget } = parameters;
  const response = await routesOf(client).webhook.create({
    headers: apiKeyHeader(client, parameters),
    body: { webhookUrl, requestType, ...omitAbsent({ payload, onFailure, failureBudget }) },
  });
  return successBody(response).data;
}
