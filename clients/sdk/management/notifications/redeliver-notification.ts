import type { NotificationDeliveryItem, RedeliverNotificationRequest } from '@tollfree/contract/notification';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type RedeliverNotificationParameters = RedeliverNotificationRequest & ApiKeyParameter;

/** Sends a message again under the same `webhook-id`, no matter what became of it, with all attempts before it. */
export async function redeliverNotification(
  client: ManagementConnection,
  parameters: RedeliverNotificationParameters,
): Promise<NotificationDeliveryItem> {
  const { deliveryId } = parameters;
  const response = await routesOf(client).notification.redeliver({
    headers: apiKeyHeader(client, parameters),
    body: { deliveryId },
  });
  return successBody(response).data;
}
