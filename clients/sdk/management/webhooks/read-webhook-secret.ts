import type { WebhookSecret } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type ReadWebhookSecretParameters = ApiKeyParameter & { readonly webhookId: string };

/** The secret that signs a webhook's callbacks (Standard Webhooks, `whsec_…`). */
export async function readWebhookSecret(
  client: ManagementConnection,
  parameters: ReadWebhookSecretParameters,
): Promise<WebhookSecret> {
  const response = await routesOf(client).webhook.readSecret({
    headers: apiKeyHeader(client, parameters),
    params: { webhookId: encodeURIComponent(parameters.webhookId) },
  });
  return successBody(response).data;
}
