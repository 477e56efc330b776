import type { WebhookSecret } from '@tollfree/contract/webhook';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type RotateWebhookSecretParameters = ApiKeyParameter & { readonly webhookId: string };

/** Replaces the secret that signs a webhook's callbacks. The one before signs nothing from then on. */
export async function rotateWebhookSecret(
  client: ManagementConnection,
  parameters: RotateWebhookSecretParameters,
): Promise<WebhookSecret> {
  const response = await routesOf(client).webhook.rotateSecret({
    headers: apiKeyHeader(client, parameters),
    params: { webhookId: encodeURIComponent(parameters.webhookId) },
  });
  return successBody(response).data;
}
