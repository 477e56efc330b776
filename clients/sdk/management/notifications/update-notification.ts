import type { NotificationItem, UpdateNotificationRequest } from '@tollfree/contract/notification';
import { type ApiKeyParameter, apiKeyHeader } from '../api-key-header.ts';
import type { ManagementConnection } from '../management-connection.ts';
import { routesOf } from '../management-routes.ts';
import { successBody } from '../success-body.ts';

export type UpdateNotificationParameters = UpdateNotificationRequest & ApiKeyParameter;

/** Changes what a URL is told about, or whether. What waits for an inactive one is sent when it is active again. */
export async function updateNotification(
  client: ManagementConnection,
  parameters: UpdateNotificationParameters,
): Promise<NotificationItem> {
  const { notificationId, active, events, tankLow } = parameters;
  const response = await routesOf(client).notification.update({
    headers: apiKeyHeader(client, parameters),
    body: { notificationId, active, events, tankLow },
  });
  return successBody(response).data;
}
