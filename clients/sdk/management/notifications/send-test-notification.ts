import type { NotificationDeliveryItem, NotificationIdRequest } from '@tollfree/contract/notification';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type SendTestNotificationParameters = NotificationIdRequest & ApiKeyParameter;

/** Sends a message of type `test`, also to an inactive URL. */
export async function sendTestNotification(
  client: ManagementConnection,
  parameters: SendTestNotificationParameters,
): Promise<NotificationDeliveryItem> {
  const { notificationId } = parameters;
  const response = await routesOf(client).notification.test({
    headers: apiKeyHeader(client, parameters),
    body: { notificationId },
  });
  return successBody(response).data;
}
